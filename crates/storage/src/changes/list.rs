//! Read entries.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::changes::{
    After, ChangeType, ChangesOutcome, ChangesPage, ChangesQuery, Position,
};
use contact_hub_domain::ids::CompanyId;

use super::position::Horizon;
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
    horizon: Horizon,
) -> Result<ChangesOutcome, Failure> {
    let mut feed = Feed { connection, company, horizon };
    let after = match query.after {
        After::Nothing => feed.start()?,
        After::Entry(after) => after,
        After::Latest => feed.end()?,
    };
    let page = if query.types.is_empty() {
        feed.next(after, query.size)?
    } else {
        feed.next_of_types(after, query)?
    };
    // It is checked last, so that what was deleted while the entries were read is noticed.
    if query.after != After::Nothing && feed.is_expired(after)? {
        return Ok(ChangesOutcome::Expired);
    }
    Ok(ChangesOutcome::Found(page))
}

/// The feed of a company, up to the horizon.
struct Feed<'a> {
    connection: &'a mut Connection,
    company: CompanyId,
    horizon: Horizon,
}

impl Feed<'_> {
    /// Whether entries after a position were deleted, or it is a position that was never returned.
    fn is_expired(&mut self, after: Position) -> Result<bool, Failure> {
        let ask = sql!(
            "SELECT ? >= {} OR EXISTS (SELECT 1 FROM change_purges WHERE company_id = ? \
         AND (position, ordinal) > (?, ?)) AS yes",
            self.horizon.position(self.connection, self.company),
        );
        let ask = ask.bind(after.number).bind(self.company).bind(after.number).bind(after.ordinal);
        let answer: Option<Answer> = self.connection.first(ask)?;
        Ok(answer.is_some_and(|answer| answer.yes))
    }

    /// What follows FROM for the entries after a position, in their order.
    fn following(&self, after: Position) -> Statement {
        let rows = sql!(
            "changes WHERE company_id = ? AND (position, ordinal) > (?, ?){} ORDER BY position, ordinal",
            self.horizon.is_after_entry(),
        );
        rows.bind(self.company).bind(after.number).bind(after.ordinal)
    }

    /// The position before the oldest entry that is kept.
    fn start(&mut self) -> Result<Position, Failure> {
        let purged = statement("SELECT position, ordinal FROM change_purges WHERE company_id = ?");
        let purged: Option<PositionRow> = self.connection.first(purged.bind(self.company))?;
        Ok(purged.map(Position::from).unwrap_or_default())
    }

    /// The position of the latest entry, or of the last one that was deleted.
    fn end(&mut self) -> Result<Position, Failure> {
        let select = sql!(
            "SELECT position, ordinal FROM changes WHERE company_id = ?{} ORDER BY position DESC, ordinal DESC LIMIT 1",
            self.horizon.is_after_entry(),
        );
        let latest: Option<PositionRow> = self.connection.first(select.bind(self.company))?;
        Ok(self.start()?.max(latest.map(Position::from).unwrap_or_default()))
    }

    fn next(&mut self, after: Position, size: u32) -> Result<ChangesPage, Failure> {
        let rows = self.following(after);
        let select = sql!("SELECT {} FROM {} LIMIT ?", COLUMNS, rows).bind(i64::from(size));
        page(self.connection, select, after)
    }

    fn next_of_types(
        &mut self,
        mut after: Position,
        query: &ChangesQuery,
    ) -> Result<ChangesPage, Failure> {
        for _scan in 0..SCANS {
            let found = self.of_types(after, query)?;
            if is_full(&found, query) {
                return Ok(found);
            }
            let end = self.end_of_scan(after)?.unwrap_or(after);
            if query.after == After::Nothing {
                // If the oldest entries were deleted meanwhile, that is the end of a later scan.
                let start = self.start()?;
                if start > after {
                    if !found.entries.is_empty() {
                        return Ok(found);
                    }
                    after = start;
                    continue;
                }
            }
            if !found.entries.is_empty() || end == after {
                return Ok(ChangesPage { next: end, ..found });
            }
            after = end;
        }
        Ok(ChangesPage { entries: Vec::new(), next: after })
    }

    fn of_types(&mut self, after: Position, query: &ChangesQuery) -> Result<ChangesPage, Failure> {
        let words = query.types.iter().copied().map(ChangeType::as_str).map(str::to_owned);
        let select = sql!(
            "SELECT {columns} FROM (SELECT * FROM {rows} LIMIT {scan}) AS scanned WHERE type {types} \
         ORDER BY position, ordinal LIMIT ?",
            columns = COLUMNS,
            rows = self.following(after),
            scan = SCAN,
            types = any_text(self.connection, words.collect()),
        );
        page(self.connection, select.bind(i64::from(query.size)), after)
    }

    /// The position of the last entry that a scan searches; `None` when there is none.
    fn end_of_scan(&mut self, after: Position) -> Result<Option<Position>, Failure> {
        let select = sql!(
            "SELECT position, ordinal FROM (SELECT position, ordinal FROM {} LIMIT {}) AS scanned \
         ORDER BY position DESC, ordinal DESC LIMIT 1",
            self.following(after),
            SCAN,
        );
        let last: Option<PositionRow> = self.connection.first(select)?;
        Ok(last.map(Position::from))
    }
}

/// Whether it has as many entries as it may have.
pub(super) fn is_full(page: &ChangesPage, query: &ChangesQuery) -> bool {
    u32::try_from(page.entries.len()).is_ok_and(|count| count >= query.size)
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
