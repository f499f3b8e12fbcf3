//! Reads the feed for webhooks that follow it.

use contact_hub_domain::changes::{ChangeEntry, ChangeType, ChangesPage, Position};
use contact_hub_domain::ids::CompanyId;

use super::position::Horizon;
use super::rows::{COLUMNS, EntryRow, PositionRow};
use crate::connection::Connection;
use crate::dialect::any_text;
use crate::failure::Failure;
use crate::statement::sql;

/// How many entries of all types are passed at once. It is more than a transaction of a client writes.
const SCAN: u64 = 2000;

/// The end of the feed: no entry will appear before it any more.
pub(crate) fn end(connection: &mut Connection, company: CompanyId) -> Result<Position, Failure> {
    let horizon = Horizon::read(connection)?;
    let select = sql!(
        "SELECT {} - 1 AS position, 2147483647 AS ordinal",
        horizon.position(connection, company)
    );
    let row: Option<PositionRow> = connection.first(select)?;
    row.map(Position::from).ok_or_else(|| Failure::Corrupt("no end of a feed".to_owned()))
}

/// The highest position that an entry may have which was committed before the statement, for the rows of `feed_cursors`.
pub(crate) fn last_position(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => {
            "(SELECT base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1 FROM change_base WHERE id = 1)"
        }
        Connection::Sqlite(_) => {
            "coalesce((SELECT position FROM changes WHERE changes.company_id = feed_cursors.company_id AND position > 0 \
             ORDER BY position DESC, ordinal DESC LIMIT 1), 0)"
        }
    }
}

/// The next entries of these types, up to this number, and where to continue: after the last of them when there are that
/// many, otherwise after the part of the feed that was searched. With `until`, entries at later positions are left out.
pub(crate) fn next_of_types(
    connection: &mut Connection,
    company: CompanyId,
    (after, until): (Position, Option<Position>),
    types: impl Iterator<Item = ChangeType>,
    limit: usize,
) -> Result<ChangesPage, Failure> {
    let end = end(connection, company)?;
    let end = until.map_or(end, |until| end.min(until));
    let end = end_of_scan(connection, company, after, end)?.unwrap_or(end);
    let words = types.map(ChangeType::as_str).map(str::to_owned).collect();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let select = sql!(
        "SELECT {} FROM changes WHERE company_id = ? AND (position, ordinal) > (?, ?) \
         AND (position, ordinal) <= (?, ?) AND type {} ORDER BY position, ordinal LIMIT ?",
        COLUMNS,
        any_text(connection, words),
    );
    let select = select
        .bind(company)
        .bind(after.number)
        .bind(after.ordinal)
        .bind(end.number)
        .bind(end.ordinal)
        .bind(limit);
    let rows: Vec<EntryRow> = connection.rows(select)?;
    let is_full = i64::try_from(rows.len()).is_ok_and(|count| count >= limit);
    let entries: Vec<ChangeEntry> =
        rows.into_iter().map(EntryRow::into_entry).collect::<Result<_, _>>()?;
    let last = entries.last().filter(|_| is_full).map(|entry| entry.position);
    Ok(ChangesPage { entries, next: last.unwrap_or(end) })
}

/// The end of the transactions that one scan can read completely, or of a part of one that is longer; `None` when it can
/// read all entries.
fn end_of_scan(
    connection: &mut Connection,
    company: CompanyId,
    after: Position,
    end: Position,
) -> Result<Option<Position>, Failure> {
    let select = sql!(
        "SELECT position, ordinal FROM changes WHERE company_id = ? AND (position, ordinal) > (?, ?) \
         AND (position, ordinal) <= (?, ?) ORDER BY position, ordinal LIMIT 1 OFFSET {}",
        SCAN,
    );
    let select = select
        .bind(company)
        .bind(after.number)
        .bind(after.ordinal)
        .bind(end.number)
        .bind(end.ordinal);
    let row: Option<PositionRow> = connection.first(select)?;
    Ok(row.map(Position::from).map(|beyond| {
        let before = Position { number: beyond.number.saturating_sub(1), ordinal: i32::MAX };
        if before > after { before } else { beyond }
    }))
}
