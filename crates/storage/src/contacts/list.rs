//! One page of the contacts that match a query, with the exact total.
//!
//! Without a condition the total is a stored count, and the page is read along the index of its first sort key,
//! from the nearer end. With conditions the matches are gathered once, by the index that suits the conditions, which
//! gives their number and the sorted page. Only when there are many matches are they counted instead, and the page is
//! read along the sort index, which soon meets enough of them. SQLite's ways are in `sqlite_list`.

use diesel::QueryableByName;

use contact_hub_domain::contacts::{Contact, ListQuery, Sort, SortKey};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::Page;

use super::conditions::Conditions;
use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use super::sqlite_list::SqliteList;
use crate::Storage;
use crate::connection::Connection;
use crate::dialect;
use crate::failure::Failure;
use crate::paged::{TotalRow, total};
use crate::statement::{Statement, joined, sql, statement};

/// Up to this many matches are gathered and sorted.
pub(super) const FEW_HITS: u64 = 20_000;

/// A row of a page of gathered matches, with their number.
#[derive(QueryableByName)]
pub(super) struct GatheredRow {
    #[diesel(embed)]
    pub(super) contact: ContactRow,
    #[diesel(embed)]
    pub(super) hits: TotalRow,
}

/// The position of a page among the matches, counted from the nearer end.
pub(super) struct Window {
    pub(super) from_the_end: bool,
    pub(super) limit: u64,
    pub(super) offset: u64,
}

/// Returns one page and the total, both from one snapshot.
pub(super) fn list(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
) -> Result<Page<Contact>, Failure> {
    let conditions = Conditions::of(connection, company, query);
    if let Connection::Sqlite(_) = connection
        && !conditions.is_empty()
    {
        let (total, rows) = SqliteList::of(company, query).page(connection)?;
        return shown(storage, connection, company, query, total, rows);
    }
    if !conditions.is_empty()
        && let Some((total, rows)) = gather(connection, company, query, &conditions)?
    {
        return shown(storage, connection, company, query, total, rows);
    }
    let total = u64::try_from(count(connection, company, &conditions)?).unwrap_or_default();
    let Some(window) = Window::of(total, query.page.offset(), query.page.size().into()) else {
        return Ok(Page::new(query.page, total, Vec::new()));
    };
    let page = walked(connection, company, query, &conditions, &window);
    let rows = connection.rows(page)?;
    shown(storage, connection, company, query, total, rows)
}

/// The page and the total, unless there are many matches or the page is past their end.
fn gather(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    conditions: &Conditions,
) -> Result<Option<(u64, Vec<ContactRow>)>, Failure> {
    let rows: Vec<GatheredRow> =
        connection.rows(gathered(connection, company, query, conditions))?;
    let total = rows.first().and_then(|row| u64::try_from(row.hits.total).ok());
    let few = total.filter(|total| *total <= FEW_HITS);
    Ok(few.map(|total| (total, rows.into_iter().map(|row| row.contact).collect())))
}

fn shown(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    total: u64,
    rows: Vec<ContactRow>,
) -> Result<Page<Contact>, Failure> {
    let mut decoder = Decoder::new(storage, company);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values));
    }
    Ok(Page::new(query.page, total, contacts))
}

/// The plans for the page and the total, line by line. Nothing is executed.
pub(super) fn explain(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    few: bool,
) -> Result<Vec<String>, Failure> {
    let conditions = Conditions::of(connection, company, query);
    if let Connection::Sqlite(_) = connection
        && !conditions.is_empty()
    {
        return SqliteList::of(company, query).explain(connection, few);
    }
    if few && !conditions.is_empty() {
        let page = gathered(connection, company, query, &conditions);
        return dialect::explain(connection, page);
    }
    let window = Window { from_the_end: false, limit: query.page.size().into(), offset: 0 };
    let page = walked(connection, company, query, &conditions, &window);
    let mut lines = dialect::explain(connection, page)?;
    if !conditions.is_empty() {
        lines.extend(dialect::explain(connection, count_hits(&conditions))?);
    }
    Ok(lines)
}

pub(super) fn count(
    connection: &mut Connection,
    company: CompanyId,
    conditions: &Conditions,
) -> Result<i64, Failure> {
    let count = if conditions.is_empty() {
        let text = "SELECT active + CAST(coalesce((SELECT sum(contacts) FROM count_changes \
             WHERE company_id = ?), 0) AS bigint) AS total FROM contact_counts WHERE company_id = ?";
        statement(text).bind(company).bind(company)
    } else {
        count_hits(conditions)
    };
    total(connection, count)
}

fn count_hits(conditions: &Conditions) -> Statement {
    sql!("SELECT count(*) AS total FROM contacts WHERE {}", conditions.all()).uncached()
}

impl Window {
    pub(super) fn of(total: u64, offset: u64, size: u64) -> Option<Self> {
        let after = total.checked_sub(offset).filter(|after| *after > 0)?;
        let limit = size.min(after);
        let behind = after - limit;
        Some(if behind < offset {
            Self { from_the_end: true, limit, offset: behind }
        } else {
            Self { from_the_end: false, limit, offset }
        })
    }
}

/// Finds the ids of the page first, along the index of the sort, and reads only their rows.
fn walked(
    connection: &Connection,
    company: CompanyId,
    query: &ListQuery,
    conditions: &Conditions,
    window: &Window,
) -> Statement {
    let sorts = query.sorts.keys();
    // Only the first sort key is in an index. Along it, only rows that are equal in that key remain to be sorted.
    let along = match sorts {
        [first, _, ..] => dialect::along(connection, index(first.key)),
        _ => None,
    };
    let page = sql!(
        "SELECT {} FROM ({} ORDER BY {} LIMIT ? OFFSET ?) AS page \
         JOIN contacts ON {}contacts.company_id = ? AND contacts.id = page.id ORDER BY {}",
        columns(),
        hits(sorts, along, conditions),
        order(sorts, window.from_the_end, ""),
        dialect::unindexed(connection),
        order(sorts, false, "page."),
    );
    page.uncached().bind(bound(window.limit)).bind(bound(window.offset)).bind(company)
}

/// All matches, unless there are more than a few: their number, and the rows of the page.
fn gathered(
    connection: &Connection,
    company: CompanyId,
    query: &ListQuery,
    conditions: &Conditions,
) -> Statement {
    let sorts = query.sorts.keys();
    let page = sql!(
        "WITH hits AS MATERIALIZED ({} LIMIT {}), page AS (SELECT * FROM hits ORDER BY {} LIMIT ? OFFSET ?) \
         SELECT {}, (SELECT count(*) FROM hits) AS total FROM page \
         JOIN contacts ON {}contacts.company_id = ? AND contacts.id = page.id ORDER BY {}",
        hits(sorts, None, conditions),
        FEW_HITS + 1,
        order(sorts, false, ""),
        columns(),
        dialect::unindexed(connection),
        order(sorts, false, "page."),
    );
    let page = page.uncached().bind(i64::from(query.page.size()));
    page.bind(bound(query.page.offset())).bind(company)
}

/// The ids of all matches with their sort keys, read along an index if one is named.
fn hits(sorts: &[Sort], along: Option<Statement>, conditions: &Conditions) -> Statement {
    let keys = joined(sorts.iter().map(|sort| column(sort.key)), ", ");
    sql!("SELECT id, {} FROM contacts{} WHERE {}", keys, along, conditions.all())
}

pub(super) fn columns() -> Statement {
    joined(COLUMNS.split(", ").map(|column| sql!("contacts.{}", column)), ", ")
}

pub(super) fn bound(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) const fn column(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "email_folded",
        SortKey::FirstName => "first_name_folded",
        SortKey::LastName => "last_name_folded",
        SortKey::CreatedAt => "created_at",
    }
}

pub(super) const fn index(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "contacts_by_email",
        SortKey::FirstName => "contacts_by_first_name",
        SortKey::LastName => "contacts_by_last_name",
        SortKey::CreatedAt => "contacts_by_created_at",
    }
}

/// The sort keys and then the id, which breaks ties in the last key's direction. Reversed for a walk from the end.
pub(super) fn order(sorts: &[Sort], turned: bool, table: &'static str) -> Statement {
    let direction = |descending: bool| if descending == turned { "ASC" } else { "DESC" };
    let last = sorts.last().is_some_and(|sort| sort.descending);
    let keys = sorts.iter().map(|sort| (column(sort.key), sort.descending));
    let all = keys.chain([("id", last)]);
    joined(
        all.map(|(column, descending)| sql!("{}{} {}", table, column, direction(descending))),
        ", ",
    )
}
