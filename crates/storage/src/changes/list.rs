//! Read entries.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::changes::{
    ChangeType, ChangesOutcome, ChangesPage, ChangesQuery, Position,
};
use contact_hub_domain::ids::CompanyId;

use super::position::{horizon, is_settled};
use super::rows::{COLUMNS, EntryRow, PositionRow};
use crate::connection::Connection;
use crate::dialect::any_text;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many entries are searched at once for those of some types.
const SCAN: u64 = 20_000;

/// How many such parts one call searches.
const SCANS: usize = 5;

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    query: &ChangesQuery,
) -> Result<ChangesOutcome, Failure> {
    let after = match query.after {
        Some(after) if is_expired(connection, company, after)? => {
            return Ok(ChangesOutcome::Expired);
        }
        Some(after) => after,
        None => start(connection, company)?,
    };
    let page = if query.types.is_empty() {
        next(connection, company, after, query.size)?
    } else {
        next_of_types(connection, company, after, query)?
    };
    Ok(ChangesOutcome::Found(page))
}

/// Whether entries after a position were deleted, or it is a position that was never returned.
fn is_expired(
    connection: &mut Connection,
    company: CompanyId,
    after: Position,
) -> Result<bool, Failure> {
    let ask = sql!(
        "SELECT ? >= {} OR EXISTS (SELECT 1 FROM change_purges WHERE company_id = ? \
         AND (position, ordinal) > (?, ?)) AS yes",
        horizon(connection, company),
    );
    let ask = ask.bind(after.number).bind(company).bind(after.number).bind(after.ordinal);
    let answer: Option<Answer> = connection.first(ask)?;
    Ok(answer.is_some_and(|answer| answer.yes))
}

/// The position before the oldest entry that is kept.
fn start(connection: &mut Connection, company: CompanyId) -> Result<Position, Failure> {
    let purged = statement("SELECT position, ordinal FROM change_purges WHERE company_id = ?");
    let purged: Option<PositionRow> = connection.first(purged.bind(company))?;
    Ok(purged.map(Position::from).unwrap_or_default())
}

/// What follows FROM for the entries after a position, in their order.
fn following(connection: &Connection, company: CompanyId, after: Position) -> Statement {
    let rows = sql!(
        "changes WHERE company_id = ? AND (position, ordinal) > (?, ?){} ORDER BY position, ordinal",
        is_settled(connection),
    );
    rows.bind(company).bind(after.number).bind(after.ordinal)
}

fn next(
    connection: &mut Connection,
    company: CompanyId,
    after: Position,
    size: u32,
) -> Result<ChangesPage, Failure> {
    let rows = following(connection, company, after);
    let select = sql!("SELECT {} FROM {} LIMIT ?", COLUMNS, rows).bind(i64::from(size));
    page(connection, select, after)
}

fn next_of_types(
    connection: &mut Connection,
    company: CompanyId,
    mut after: Position,
    query: &ChangesQuery,
) -> Result<ChangesPage, Failure> {
    for _scan in 0..SCANS {
        let found = of_types(connection, company, after, query)?;
        let is_full = u32::try_from(found.entries.len()).is_ok_and(|count| count >= query.size);
        if is_full {
            return Ok(found);
        }
        let end = end_of_scan(connection, company, after)?.unwrap_or(after);
        if !found.entries.is_empty() || end == after {
            return Ok(ChangesPage { next: end, ..found });
        }
        after = end;
    }
    Ok(ChangesPage { entries: Vec::new(), next: after })
}

fn of_types(
    connection: &mut Connection,
    company: CompanyId,
    after: Position,
    query: &ChangesQuery,
) -> Result<ChangesPage, Failure> {
    let words = query.types.iter().copied().map(ChangeType::as_str).map(str::to_owned);
    let select = sql!(
        "SELECT {columns} FROM (SELECT * FROM {rows} LIMIT {scan}) AS scanned WHERE type {types} \
         ORDER BY position, ordinal LIMIT ?",
        columns = COLUMNS,
        rows = following(connection, company, after),
        scan = SCAN,
        types = any_text(connection, words.collect()),
    );
    page(connection, select.bind(i64::from(query.size)), after)
}

/// The position of the last entry that a scan searches; `None` when there is none.
fn end_of_scan(
    connection: &mut Connection,
    company: CompanyId,
    after: Position,
) -> Result<Option<Position>, Failure> {
    let select = sql!(
        "SELECT position, ordinal FROM (SELECT position, ordinal FROM {} LIMIT {}) AS scanned \
         ORDER BY position DESC, ordinal DESC LIMIT 1",
        following(connection, company, after),
        SCAN,
    );
    let last: Option<PositionRow> = connection.first(select)?;
    Ok(last.map(Position::from))
}

fn page(
    connection: &mut Connection,
    select: Statement,
    after: Position,
) -> Result<ChangesPage, Failure> {
    let rows: Vec<EntryRow> = connection.rows(select)?;
    let entries = rows.into_iter().map(EntryRow::into_entry).collect::<Result<Vec<_>, _>>()?;
    let next = entries.last().map_or(after, |entry| entry.position);
    Ok(ChangesPage { entries, next })
}
