//! Search deliveries.

use std::time::Duration;

use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::page::Page;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Delivery, DeliverySearch, FoundDeliveries, SEARCHED};
use diesel::QueryableByName;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use super::deliveries::{list, matching};
use super::listed::listed;
use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::settling::{Settlement, of_company};
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};

/// How far the time of an id may be from the moment at which the delivery was created: the clock of an instance makes the
/// one, and that of the database the other.
const SKEW: Duration = Duration::from_mins(5);

/// The maximum number of deliveries with one id: an event has one for each webhook.
const MAX_BY_ID: i64 = 2000;

/// A page of the deliveries that match, newest first.
pub(super) fn search(
    connection: &mut Connection,
    company: CompanyId,
    search: &DeliverySearch,
) -> Result<FoundDeliveries, Failure> {
    let (page, searched_until) = if search.is_plain() {
        (list(connection, company, &search.query)?, None)
    } else {
        let settlements = of_company(connection, company)?;
        match search.id {
            Some(id) => (by_id(connection, company, search, id, &settlements)?, None),
            None => among_newest(connection, company, search, &settlements)?,
        }
    };
    let meta = page.meta;
    let items = listed(connection, company, page.items)?;
    Ok(FoundDeliveries { page: Page { items, meta }, searched_until })
}

/// How many deliveries match, and the ids of the newest, at most `limit`.
pub(super) fn newest_of(
    connection: &mut Connection,
    company: CompanyId,
    search: &DeliverySearch,
    limit: usize,
) -> Result<(u64, Vec<DeliveryId>), Failure> {
    let settlements = of_company(connection, company)?;
    if let Some(id) = search.id {
        let all = all_by_id(connection, company, search, id, &settlements)?;
        let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
        return Ok((total, all.iter().map(|it| it.id).take(limit).collect()));
    }
    let (parts, totals) = matching(connection, company, &search.query, &settlements)?;
    let Some(newest) = parts.newest(&bounds(search), i64::from(SEARCHED)) else {
        return Ok((0, Vec::new()));
    };
    let total = if search.is_plain() && search.query.sync_id.is_none() {
        totals.moved + totals.unmoved
    } else {
        counted(connection, search, newest.clone())?.total
    };
    let rows = found(connection, search, newest, limit, 0)?;
    let ids = rows.into_iter().map(|row| row.seen(&settlements).map(|it| it.id));
    Ok((u64::try_from(total).unwrap_or_default(), ids.collect::<Result<_, _>>()?))
}

/// A page of those that an id names.
fn by_id(
    connection: &mut Connection,
    company: CompanyId,
    search: &DeliverySearch,
    id: Uuid,
    settlements: &[Settlement],
) -> Result<Page<Delivery>, Failure> {
    let all = all_by_id(connection, company, search, id, settlements)?;
    let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
    let page = search.query.page;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let size = usize::try_from(page.size()).unwrap_or(usize::MAX);
    Ok(Page::new(page, total, all.into_iter().skip(before).take(size).collect()))
}

/// The delivery with this id, and those of the event or the sync; they are few.
fn all_by_id(
    connection: &mut Connection,
    company: CompanyId,
    search: &DeliverySearch,
    id: Uuid,
    settlements: &[Settlement],
) -> Result<Vec<Delivery>, Failure> {
    let select = sql!(
        "SELECT {} FROM (SELECT id FROM deliveries WHERE id = ? UNION SELECT id FROM deliveries WHERE event_id = ? \
         UNION SELECT id FROM deliveries WHERE company_id = ? AND sync_id = ?) AS found \
         JOIN deliveries ON deliveries.id = found.id WHERE deliveries.company_id = ? ORDER BY deliveries.id DESC LIMIT ?",
        DELIVERY_COLUMNS
    );
    let id = IdValue(id);
    let select = select.bind(id).bind(id).bind(company).bind(id).bind(company).bind(MAX_BY_ID);
    let rows: Vec<DeliveryRow> = connection.rows(select)?;
    let all = rows.into_iter().map(|row| row.seen(settlements));
    let mut all: Vec<Delivery> = all.collect::<Result<_, _>>()?;
    all.retain(|delivery| search.includes(delivery));
    Ok(all)
}

#[derive(QueryableByName)]
struct SearchedRow {
    #[diesel(sql_type = BigInt)]
    searched: i64,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

#[derive(QueryableByName)]
struct LastRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

/// The last delivery that was searched, if there may be more.
type SearchedUntil = Option<(Timestamp, DeliveryId)>;

/// Those among the newest that meet the conditions, and the last one that was searched.
fn among_newest(
    connection: &mut Connection,
    company: CompanyId,
    search: &DeliverySearch,
    settlements: &[Settlement],
) -> Result<(Page<Delivery>, SearchedUntil), Failure> {
    let page = search.query.page;
    let (parts, _) = matching(connection, company, &search.query, settlements)?;
    let Some(newest) = parts.newest(&bounds(search), i64::from(SEARCHED)) else {
        return Ok((Page::new(page, 0, Vec::new()), None));
    };
    let searched = counted(connection, search, newest.clone())?;
    let until = if searched.searched < i64::from(SEARCHED) {
        None
    } else {
        last(connection, newest.clone())?
    };
    let size = usize::try_from(page.size()).unwrap_or(usize::MAX);
    let rows = found(connection, search, newest, size, page.offset())?;
    let rows = rows.into_iter().map(|row| row.seen(settlements)).collect::<Result<_, _>>()?;
    Ok((Page::new(page, u64::try_from(searched.total).unwrap_or_default(), rows), until))
}

/// The last of the newest.
fn last(connection: &mut Connection, newest: Statement) -> Result<SearchedUntil, Failure> {
    let select = sql!("SELECT id, created_at FROM ({}) AS newest ORDER BY id LIMIT 1", newest);
    let row: Option<LastRow> = connection.first(select.uncached())?;
    Ok(row.map(|row| (row.created_at.0, DeliveryId::new(row.id.0))))
}

/// How many of the newest there are, and how many of them meet the conditions.
fn counted(
    connection: &mut Connection,
    search: &DeliverySearch,
    newest: Statement,
) -> Result<SearchedRow, Failure> {
    let count = sql!(
        "SELECT count(*) AS searched, CAST(COALESCE(sum(CASE WHEN {} THEN 1 ELSE 0 END), 0) AS bigint) AS total \
         FROM ({}) AS newest",
        conditions(search),
        newest,
    );
    let row: Option<SearchedRow> = connection.first(count.uncached())?;
    row.ok_or_else(|| Failure::Corrupt("no count".to_owned()))
}

/// Those of the newest that meet the conditions, a part of them.
fn found(
    connection: &mut Connection,
    search: &DeliverySearch,
    newest: Statement,
    limit: usize,
    offset: u64,
) -> Result<Vec<DeliveryRow>, Failure> {
    let select = sql!(
        "SELECT {} FROM (SELECT id FROM ({}) AS newest WHERE {} ORDER BY id DESC LIMIT ? OFFSET ?) AS found \
         JOIN deliveries ON deliveries.id = found.id ORDER BY deliveries.id DESC",
        DELIVERY_COLUMNS,
        newest,
        conditions(search),
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    Ok(connection.rows(select.bind(limit).bind(offset).uncached())?)
}

/// The conditions that no index serves. They are tested on each row.
fn conditions(search: &DeliverySearch) -> Statement {
    let kind = search.kind.map(|kind| statement("newest.kind = ?").bind(kind.as_str()));
    let from = search.from.map(|from| statement("newest.created_at >= ?").bind(from));
    let to = search.to.map(|to| statement("newest.created_at < ?").bind(to));
    joined([Some(statement("true")), kind, from, to].into_iter().flatten(), " AND ")
}

/// Bounds on the ids, which begin with the time at which they were made.
fn bounds(search: &DeliverySearch) -> Statement {
    let from = search
        .from
        .map(|from| statement(" AND deliveries.id >= ?").bind(IdValue(first_id(from.minus(SKEW)))));
    let to = search
        .to
        .map(|to| statement(" AND deliveries.id < ?").bind(IdValue(first_id(to.plus(SKEW)))));
    let before = search.before.map(|id| statement(" AND deliveries.id < ?").bind(id));
    joined([from, to, before].into_iter().flatten(), "")
}

/// The first id of a moment.
fn first_id(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.micros() / 1000).unwrap_or_default();
    Uuid::from_u128(u128::from(millis) << 80)
}
