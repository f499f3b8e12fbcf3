//! What the index of values and the kept counts say of matches, so that no contact is read.

use contact_hub_domain::contacts::{Sort, SortKey};

use super::conditions::Conditions;
use super::value_conditions::WithValue;
use super::value_total::{Counted, ValueTotal};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql};

/// About how many entries of the index of values are read and sorted in the time in which the value of a contact is
/// looked up: 5,000 took 0.65 ms and 5,000 look-ups 9 ms, and a walk already has [patience](super::window).
const LOOK_UP: u64 = 3;

impl Conditions {
    /// The ids and sort keys of all matches, if they are known without reading contacts: the only condition is on a value
    /// of a field, and the order is that of creation.
    pub(super) fn hits_by_value(&self, sorts: &[Sort]) -> Option<Statement> {
        let only = self.values().next().filter(|_| self.number() == 1)?;
        self.hits_with(only, sorts)
    }

    /// The same, found by a condition, if all of them are on values of fields.
    pub(super) fn hits_with(&self, value: &WithValue, sorts: &[Sort]) -> Option<Statement> {
        if !self.are_known_by_values(sorts) {
            return None;
        }
        let others: Vec<&Statement> = self.tests_besides(value).collect();
        Some(sql!(
            "SELECT id, created_at FROM (SELECT contact_id AS id, contact_created_at AS created_at FROM {} ORDER BY sort_key) AS contacts{}",
            &value.rows,
            (!others.is_empty()).then(|| sql!(" WHERE {}", joined(others, " AND "))),
        ))
    }

    /// Whether the index of values has all that is tested and sorted by.
    pub(super) fn are_known_by_values(&self, sorts: &[Sort]) -> bool {
        let by_creation = matches!(sorts, [Sort { key: SortKey::CreatedAt, .. }]);
        by_creation && !self.has_columns() && !self.has_substrings()
    }

    /// How many contacts a walk may look at in place of sorting this many matches. It looks up the value of each
    /// contact, which takes longer than to read a match that is known without its contact.
    pub(super) fn as_long_as_sorting(&self, sorts: &[Sort], matches: u64) -> u64 {
        if self.hits_by_value(sorts).is_some() { matches / LOOK_UP } else { matches }
    }

    /// The number of matches, if all conditions are on values of fields: no contact is read then.
    pub(super) fn counted_by_values(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<u64>, Failure> {
        if self.is_empty() || self.has_columns() || self.has_substrings() {
            return Ok(None);
        }
        if let Connection::Postgres(_) = connection {
            return self.counted_by_joins(connection).map(Some);
        }
        let Some(value) = self.values().next() else { return Ok(None) };
        let others: Vec<&Statement> = self.tests_besides(value).collect();
        let count = if others.is_empty() {
            sql!("SELECT count(*) AS total FROM {}", &value.rows)
        } else {
            // Only active contacts have values, so a value is enough in place of its contact.
            sql!(
                "SELECT count(*) AS total FROM (SELECT contact_id AS id FROM {}) AS contacts WHERE {}",
                &value.rows,
                joined(others, " AND "),
            )
        };
        Ok(Some(u64::try_from(total(connection, count.uncached())?).unwrap_or_default()))
    }

    /// The number of matches, if the only condition is on the values of a field and their counts answer it. Up to `few`
    /// matches are counted themselves.
    pub(super) fn kept_total(
        &self,
        connection: &mut Connection,
        few: u64,
    ) -> Result<Option<Counted>, Failure> {
        let Some(total) = self.value_total() else { return Ok(None) };
        let entries = self.values().next().map(|value| &value.rows);
        total.count(connection, self.company(), entries, few).map(Some)
    }

    /// Whether the only condition is that a field has no value.
    pub(super) fn lack_a_value(&self) -> bool {
        self.value_total().is_some_and(ValueTotal::is_of_lacking)
    }
}
