//! Conditions on the values of fields.

use std::ops::Bound;

use contact_hub_domain::contacts::ValueTest;
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::conditions::Conditions;
use super::own_values::{LookUp, OwnValues, OwnValuesByBitmaps};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// A condition that contacts have a certain value of a field, as a way to them.
pub(super) struct WithValue {
    /// The place of the condition among the tests.
    pub(super) test: usize,
    /// The values, as they follow FROM. Only active contacts have any.
    pub(super) rows: Statement,
    /// Whether they are a range of the index of values.
    pub(super) is_range: bool,
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
    /// The way to the contacts that pass it, if they have a value.
    pub(super) way: Option<WithValue>,
}

/// The condition at this place among the tests.
pub(super) fn of_value(
    connection: &Connection,
    company: CompanyId,
    field: FieldId,
    test: &ValueTest,
    place: usize,
) -> ValueCondition {
    let own = OwnValues::of(connection, company);
    let by_bitmaps = OwnValuesByBitmaps::of(company);
    if let ValueTest::Exists(false) = test {
        return ValueCondition {
            test: sql!("NOT EXISTS {}", own.select("1", field, "")),
            test_by_bitmaps: sql!("NOT EXISTS {}", by_bitmaps.select("1", field, "")),
            way: None,
        };
    }
    let passes = value_test(connection, test);
    let rows = sql!("{}{}", values_of(company, field), &passes);
    let is_range = !matches!(test, ValueTest::Contains(_));
    ValueCondition {
        test: sql!("EXISTS {}", own.select("1", field, &passes)),
        test_by_bitmaps: sql!("EXISTS {}", by_bitmaps.select("1", field, &passes)),
        way: Some(WithValue { test: place, rows, is_range }),
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
    /// The number of matches, if all conditions are on values of fields: no contact is read then.
    pub(super) fn counted_by_values(
        &self,
        connection: &mut Connection,
    ) -> Result<Option<u64>, Failure> {
        if self.is_empty() || self.has_columns() || self.has_substrings() {
            return Ok(None);
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
