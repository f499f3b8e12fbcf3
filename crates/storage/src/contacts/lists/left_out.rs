//! The number of matches of a condition that leaves out few contacts: that of all, which is stored, without those.

use super::conditions::Conditions;
use super::ranges::Range;
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
        let most = all / part;
        let mut left_out = 0;
        for range in ranges {
            let counted = self.counted_in(connection, range, most - left_out);
            left_out += u64::try_from(total(connection, counted)?).unwrap_or_default();
            if left_out > most {
                return Ok(None);
            }
        }
        Ok(Some(all.saturating_sub(left_out)))
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
        let mut left_out = 0;
        for range in ranges {
            let of_range =
                sql!("SELECT FROM contacts WHERE {} AND {}", self.scope(), &range.condition);
            left_out += expected_rows(connection, of_range)?;
        }
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
