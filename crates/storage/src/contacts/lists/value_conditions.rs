//! Conditions on the values of fields.

use std::ops::Bound;

use contact_hub_domain::contacts::{Sort, SortKey, ValueTest};
use contact_hub_domain::fields::FieldType;
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::conditions::Conditions;
use super::own_values::{LookUp, OwnValues, OwnValuesByBitmaps};
use super::value_total::key_range;
use crate::connection::Connection;
use crate::counts::KeyRange;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// About how many entries of the index of values are read and sorted in the time in which the value of a contact is
/// looked up: 5,000 took 0.65 ms and 5,000 look-ups 9 ms, and a walk already has [patience](super::window).
const LOOK_UP: u64 = 3;

/// A condition that contacts have a certain value of a field, as a way to them.
pub(super) struct WithValue {
    /// The place of the condition among the tests.
    pub(super) test: usize,
    pub(super) field: FieldId,
    /// What a row of indexed values must pass, after others.
    pub(super) passes: Statement,
    /// The values, as they follow FROM. Only active contacts have any.
    pub(super) rows: Statement,
    /// Whether they are a range of the index of values.
    pub(super) is_range: bool,
    /// The range in which the kept counts have them; without one, they are among all values of the field.
    pub(super) keys: Option<KeyRange>,
}

/// A condition that contacts have no value of a field.
pub(super) struct WithoutValue {
    /// The place of the condition among the tests.
    pub(super) test: usize,
    pub(super) field: FieldId,
}

/// What a condition on the values of a field says of contacts.
pub(super) enum Having {
    Value(WithValue),
    None(WithoutValue),
}

/// The values of a field, as they follow FROM.
pub(super) fn values_of(company: CompanyId, field: FieldId) -> Statement {
    statement("indexed_values WHERE company_id = ? AND field_id = ?").bind(company).bind(field)
}

/// A condition on the values of a field.
pub(super) struct ValueCondition {
    /// The test of a contact.
    pub(super) test: Statement,
    /// The same in a statement of PostgreSQL that may use indexes only as sets of rows.
    pub(super) test_by_bitmaps: Statement,
    pub(super) having: Having,
}

/// The condition at this place among the tests.
pub(super) fn of_value(
    connection: &Connection,
    company: CompanyId,
    (field, kind): (FieldId, Option<FieldType>),
    test: &ValueTest,
    place: usize,
) -> ValueCondition {
    let own = OwnValues::of(connection, company);
    let by_bitmaps = OwnValuesByBitmaps::of(company);
    if let ValueTest::Exists(false) = test {
        return ValueCondition {
            test: sql!("NOT EXISTS {}", own.select("1", field, "")),
            test_by_bitmaps: sql!("NOT EXISTS {}", by_bitmaps.select("1", field, "")),
            having: Having::None(WithoutValue { test: place, field }),
        };
    }
    let passes = value_test(connection, test);
    let rows = sql!("{}{}", values_of(company, field), &passes);
    let is_range = !matches!(test, ValueTest::Contains(_));
    let keys = kind.and_then(|kind| key_range(kind, test));
    ValueCondition {
        test: sql!("EXISTS {}", own.select("1", field, &passes)),
        test_by_bitmaps: sql!("EXISTS {}", by_bitmaps.select("1", field, &passes)),
        having: Having::Value(WithValue { test: place, field, passes, rows, is_range, keys }),
    }
}

/// The test of a row of indexed values, behind others.
fn value_test(connection: &Connection, test: &ValueTest) -> Statement {
    match test {
        ValueTest::Exists(_) => statement(""),
        ValueTest::Within(from, to) => {
            let from = match from {
                Bound::Included(key) => statement(" AND sort_key >= ?").bind(key.as_slice()),
                Bound::Excluded(key) => statement(" AND sort_key > ?").bind(key.as_slice()),
                Bound::Unbounded => statement(""),
            };
            let to = match to {
                Bound::Included(key) => statement(" AND sort_key <= ?").bind(key.as_slice()),
                Bound::Excluded(key) => statement(" AND sort_key < ?").bind(key.as_slice()),
                Bound::Unbounded => statement(""),
            };
            sql!("{}{}", from, to)
        }
        ValueTest::Contains(part) => {
            let contains = match connection {
                Connection::Postgres(_) => " AND position(? IN sort_key || sort_rest) > 0",
                // `||` makes a text of two blobs.
                Connection::Sqlite(_) => " AND instr(CAST(sort_key || sort_rest AS BLOB), ?) > 0",
            };
            statement(contains).bind(part.as_str().as_bytes())
        }
    }
}

impl Conditions {
    /// The ids and sort keys of all matches, if they are known without reading contacts: the only condition is on a value
    /// of a field, and the order is that of creation.
    pub(super) fn hits_by_value(&self, sorts: &[Sort]) -> Option<Statement> {
        let only = self.values().next().filter(|_| self.number() == 1)?;
        self.hits_with(only, sorts)
    }

    /// The same, found by a condition, if all of them are on values of fields.
    pub(super) fn hits_with(&self, value: &WithValue, sorts: &[Sort]) -> Option<Statement> {
        let by_creation = matches!(sorts, [Sort { key: SortKey::CreatedAt, .. }]);
        if !by_creation || self.has_columns() || self.has_substrings() {
            return None;
        }
        let others: Vec<&Statement> = self.tests_besides(value).collect();
        Some(sql!(
            "SELECT id, created_at FROM (SELECT contact_id AS id, contact_created_at AS created_at FROM {} ORDER BY sort_key) AS contacts{}",
            &value.rows,
            (!others.is_empty()).then(|| sql!(" WHERE {}", joined(others, " AND "))),
        ))
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
}
