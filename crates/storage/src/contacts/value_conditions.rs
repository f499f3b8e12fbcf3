//! Conditions on the values of fields.

use std::ops::Bound;

use contact_hub_domain::contacts::ValueTest;
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::own_values::OwnValues;
use crate::connection::Connection;
use crate::statement::{Statement, sql, statement};

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

/// The test of a contact, at this place among the tests, and the way to the contacts that pass it, if they have a value.
pub(super) fn of_value(
    connection: &Connection,
    company: CompanyId,
    field: FieldId,
    test: &ValueTest,
    place: usize,
) -> (Statement, Option<WithValue>) {
    let own = OwnValues::of(connection, company);
    if let ValueTest::Exists(false) = test {
        return (sql!("NOT EXISTS {}", own.select("1", field, "")), None);
    }
    let passes = value_test(connection, test);
    let rows = sql!("{}{}", values_of(company, field), &passes);
    let is_range = !matches!(test, ValueTest::Contains(_));
    let condition = sql!("EXISTS {}", own.select("1", field, passes));
    (condition, Some(WithValue { test: place, rows, is_range }))
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
