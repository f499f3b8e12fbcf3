//! Conditions on the values of fields.

use std::ops::Bound;

use contact_hub_domain::contacts::ValueTest;
use contact_hub_domain::fields::FieldType;
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::key_range::key_range;
use super::own_values::{LookUp, OwnValues, OwnValuesByBitmaps};
use crate::connection::Connection;
use crate::contacts::indexed::of_field;
use crate::counts::KeyRange;
use crate::statement::{Statement, sql, statement};

/// A condition that contacts have a certain value of a field, as a way to them.
pub(super) struct WithValue {
    /// The place of the condition among the tests.
    pub(super) test: usize,
    pub(super) field: FieldId,
    /// What a row of indexed values must pass, after others.
    pub(super) passes: Statement,
    /// The values, as they follow FROM. Only active contacts have any.
    pub(super) rows: Statement,
    /// Whether all are the same.
    pub(super) is_one_value: bool,
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
pub(super) fn values_of(connection: &Connection, company: CompanyId, field: FieldId) -> Statement {
    sql!("indexed_values WHERE {}", of_field(connection, "", company, field))
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
    let rows = sql!("{}{}", values_of(connection, company, field), &passes);
    let is_range = !matches!(test, ValueTest::Contains(_));
    let is_one_value = one_value(test).is_some();
    let keys = kind.and_then(|kind| key_range(kind, test));
    ValueCondition {
        test: sql!("EXISTS {}", own.select("1", field, &passes)),
        test_by_bitmaps: sql!("EXISTS {}", by_bitmaps.select("1", field, &passes)),
        having: Having::Value(WithValue {
            test: place,
            field,
            passes,
            rows,
            is_one_value,
            is_range,
            keys,
        }),
    }
}

/// The key of the only value that passes.
fn one_value(test: &ValueTest) -> Option<&[u8]> {
    match test {
        ValueTest::Within(Bound::Included(from), Bound::Included(to)) if from == to => Some(from),
        _ => None,
    }
}

/// The test of a row of indexed values, behind others.
fn value_test(connection: &Connection, test: &ValueTest) -> Statement {
    // Within the limits of two equal bounds PostgreSQL does not see that the index has the order of contacts.
    if let Some(key) = one_value(test) {
        return statement(" AND sort_key = ?").bind(key);
    }
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
