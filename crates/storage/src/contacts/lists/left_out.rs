//! The number of matches of a condition that leaves out few contacts: that of all, which is stored, without those.

use super::conditions::Conditions;
use super::ranges::Range;
use super::value_entries::Entries;
use crate::connection::Connection;
use crate::counts::stored_total;
use crate::dialect::{along, expected_rows};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// Contacts that are left out are counted up to the number of the company's contacts, divided by this. Counting more of
/// them would be wasted.
const PART_EXPECTED: u64 = 2;
const PART_UNKNOWN: u64 = 8;

/// The matches of conditions on values beside one that leaves out some contacts.
#[derive(Clone, Copy)]
pub(super) struct WithoutLeftOut {
    pub(super) matches: u64,
    /// How many contacts the other condition leaves out.
    pub(super) left_out: u64,
}

impl Conditions {
    /// The number of matches, if the only condition leaves out few of the company's contacts.
    pub(super) fn counted_by_left_out(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<u64>, Failure> {
        let ranges = self.left_out();
        if ranges.is_empty() {
            return Ok(None);
        }
        let Some(part) = self.worth_counting(connection, ranges)? else { return Ok(None) };
        let all = stored_total(connection, self.company())?;
        let left_out = self.number_left_out(connection, ranges, all / part)?;
        Ok(left_out.map(|left_out| all.saturating_sub(left_out)))
    }

    /// How many of the company's contacts are in some ranges, if they are at most this many.
    fn number_left_out(
        &self,
        connection: &mut Connection,
        ranges: &[Range],
        most: u64,
    ) -> Result<Option<u64>, Failure> {
        let mut left_out = 0;
        for range in ranges {
            let counted = self.counted_in(connection, range, most - left_out);
            left_out += u64::try_from(total(connection, counted)?).unwrap_or_default();
            if left_out > most {
                return Ok(None);
            }
        }
        Ok(Some(left_out))
    }

    /// The number of matches, if one condition is on something else than values and leaves out fewer contacts than it keeps:
    /// that of the others, without those left out.
    pub(super) fn counted_without_left_out(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<WithoutLeftOut>, Failure> {
        let ranges = self.left_out_beside_values();
        if ranges.is_empty() || matches!(connection, Connection::Sqlite(_)) {
            return Ok(None);
        }
        let most = stored_total(connection, self.company())? / PART_EXPECTED;
        if self.expected_in(connection, ranges)? > most {
            return Ok(None);
        }
        let Some(left_out) = self.number_left_out(connection, ranges, most)? else {
            return Ok(None);
        };
        let entries = self.entries(connection)?;
        let mut matches = self.counted_by_entries(connection, &entries)?;
        let entries: Vec<&Entries> = entries.iter().collect();
        for range in ranges {
            let in_range = sql!(
                "SELECT id FROM contacts WHERE {} AND {} ORDER BY {} OFFSET 0",
                self.scope(),
                &range.condition,
                range.column,
            );
            let counted = self.counted_among(connection, in_range, left_out, &entries)?;
            matches = matches.saturating_sub(counted);
        }
        Ok(Some(WithoutLeftOut { matches, left_out }))
    }

    /// How many of the company's contacts PostgreSQL expects in some ranges.
    fn expected_in(&self, connection: &mut Connection, ranges: &[Range]) -> Result<u64, Failure> {
        let mut expected = 0;
        for range in ranges {
            let of_range =
                sql!("SELECT FROM contacts WHERE {} AND {}", self.scope(), &range.condition);
            expected += expected_rows(connection, of_range)?;
        }
        Ok(expected)
    }

    /// The number by which the number of contacts is divided to get the limit for counting those left out; `None` if
    /// PostgreSQL expects that more are left out than match. SQLite has no estimate.
    fn worth_counting(
        &self,
        connection: &mut Connection,
        ranges: &[Range],
    ) -> Result<Option<u64>, Failure> {
        if let Connection::Sqlite(_) = connection {
            return Ok(Some(PART_UNKNOWN));
        }
        let left_out = self.expected_in(connection, ranges)?;
        let matching =
            expected_rows(connection, sql!("SELECT FROM contacts WHERE {}", self.all()))?;
        Ok((left_out < matching).then_some(PART_EXPECTED))
    }

    /// The number of the company's contacts in a range, or one more than this many.
    pub(super) fn counted_in(
        &self,
        connection: &Connection,
        range: &Range,
        most: u64,
    ) -> Statement {
        let counted = sql!(
            "SELECT count(*) AS total FROM (SELECT 1 FROM contacts{} WHERE {} AND {} ORDER BY {} LIMIT {}) AS bounded",
            along(connection, range.index()),
            self.scope(),
            &range.condition,
            range.column,
            most.saturating_add(1),
        );
        counted.uncached()
    }
}
