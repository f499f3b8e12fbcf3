//! Indexes that have all columns of a condition, so that no row of a contact is read, on PostgreSQL.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::Sort;

use super::conditions::Conditions;
use super::matches::{Matches, Selected};
use super::order::column;
use crate::connection::Connection;
use crate::dialect::{expected_rows, lateral};
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};

/// A walk along an index that has all tested columns reads at most the number of matches, divided by this.
const WORTH: u64 = 4;

/// How many contacts are worth reading along such an index, before this many matches are gathered.
pub(super) const fn worth_walking(matches: u64) -> u64 {
    matches / WORTH
}

impl Conditions {
    /// The column by which an index is ordered that has all tested columns and these, if there is one: preferably one
    /// with a range, because less of it is read.
    pub(super) fn covering(&self, others: &[&'static str]) -> Option<&'static str> {
        self.coverings(others).next()
    }

    /// The one of these columns along which the fewest contacts are read, as far as the database expects. Its index has the
    /// other columns too, if there is such an index.
    pub(super) fn best_covering(
        &self,
        connection: &mut Connection,
        others: &[&'static str],
    ) -> Result<Option<&'static str>, Failure> {
        let mut candidates: BTreeSet<_> = self.coverings(others).collect();
        if candidates.is_empty() {
            candidates = self.coverings(&[]).collect();
        }
        if candidates.len() < 2 {
            return Ok(candidates.first().copied());
        }
        let mut best = None;
        for column in candidates {
            let read =
                sql!("SELECT FROM contacts WHERE {}{}", self.scope(), self.ranges_of(column));
            let read = expected_rows(connection, read)?;
            if best.is_none_or(|(fewest, _)| read < fewest) {
                best = Some((read, column));
            }
        }
        Ok(best.map(|(_, column)| column))
    }

    /// Whether the index of the first sort key has the others and all tested columns.
    pub(super) fn is_covered_along(&self, sorts: &[Sort]) -> bool {
        // `None` if one is the value of a field.
        let sorted: Option<Vec<_>> = sorts.iter().map(|sort| column(sort.key)).collect();
        let sorted = sorted.unwrap_or_default();
        let Some((first, others)) = sorted.split_first() else { return false };
        !self.has_values() && self.has_all(first, others)
    }

    /// The first of these columns, if its index has the others.
    pub(super) fn covering_sorted(&self, sorted: &[&'static str]) -> Option<&'static str> {
        let (first, others) = sorted.split_first()?;
        self.has_all(first, others).then_some(*first)
    }

    fn coverings(&self, others: &[&'static str]) -> impl Iterator<Item = &'static str> {
        let ranges = self.alternatives().iter().flat_map(|it| &it.ranges).map(|range| range.column);
        ranges.chain(self.columns()).filter(|column| self.has_all(column, others))
    }

    /// Whether the index by a column has these and all tested columns.
    fn has_all(&self, column: &str, others: &[&'static str]) -> bool {
        let has = columns_along(column);
        let mut needed = self.columns().chain(others.iter().copied());
        !self.has_substrings() && needed.all(|needed| needed == column || has.contains(&needed))
    }
}

/// The columns that the index by a column has in addition to it.
fn columns_along(column: &str) -> &'static [&'static str] {
    match column {
        "first_name_folded" => &["last_name_folded", "created_at", "updated_at"],
        "last_name_folded" => &["first_name_folded", "created_at", "updated_at"],
        "created_at" => &["updated_at"],
        "updated_at" => &["created_at"],
        "email_folded" => &["created_at", "updated_at"],
        _ => &[],
    }
}

impl Matches<'_> {
    /// Whether an index has all tested columns and the sort keys, none of which is a field.
    pub(super) fn are_keys_covered(&self) -> bool {
        let sorts = self.query.sorts.keys();
        let sorted: Option<Vec<_>> = sorts.iter().map(|sort| column(sort.key)).collect();
        sorted.is_some_and(|sorted| self.conditions.covering(&sorted).is_some())
    }

    /// All matches, by an index that has all tested columns, but not what they are sorted by. Only the rows of matches
    /// are read, in the order of their ids, in which most are stored.
    pub(super) fn looked_up(&self, connection: &mut Connection) -> Result<Statement, Failure> {
        let ids = self.all_matches(connection, Selected::Ids)?;
        let sorts = self.query.sorts.keys();
        let columns = sorts.iter().filter_map(|sort| column(sort.key));
        let columns = columns.map(|column| sql!(", contacts.{}", column));
        let own = statement("contacts.company_id = ? AND contacts.id = sorted.id");
        Ok(sql!(
            "SELECT contacts.id{} FROM (SELECT id FROM ({}) AS matching ORDER BY id OFFSET 0) AS sorted {}",
            joined(columns, ""),
            ids,
            lateral("contacts", own.bind(self.company)),
        ))
    }
}
