//! The rows of a page of contacts.

use contact_hub_domain::contacts::Sort;

use super::conditions::Conditions;
use super::order::order;
use crate::connection::Connection;
use crate::contacts::rows::{COLUMNS, ContactRow};
use crate::dialect::looked_up;
use crate::statement::{Statement, joined, sql, statement};

/// A page of the matches, and their number. The rows are without values, which are [read after them](super::page_values).
pub(super) struct Found {
    pub(super) total: u64,
    pub(super) rows: Vec<ContactRow>,
}

/// The rows of a page of a list with these conditions, whose ids and sort keys a statement finds: no other row is read.
pub(super) fn rows_of(
    connection: &Connection,
    conditions: &Conditions,
    sorts: &[Sort],
    page: Statement,
) -> Statement {
    let own = statement("contacts.company_id = ? AND contacts.id = page.id");
    let select = sql!(
        "SELECT {} FROM ({}) AS page {} ORDER BY {}",
        columns(connection, Values::Omitted),
        page,
        looked_up(connection, "contacts", own.bind(conditions.company())),
        order(sorts, false, "page."),
    );
    conditions.of_list(select)
}

/// Whether the rows of contacts have the values of their fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Read,
    /// They may have megabytes, so that none is read in vain.
    Omitted,
}

/// The columns of a contact's row.
pub(super) fn columns(connection: &Connection, values: Values) -> Statement {
    let none = match connection {
        Connection::Postgres(_) => "CAST('{}' AS json) AS field_values",
        Connection::Sqlite(_) => "'{}' AS field_values",
    };
    let column = |column: &'static str| match (column, values) {
        ("field_values", Values::Omitted) => statement(none),
        (column, _) => sql!("contacts.{}", column),
    };
    joined(COLUMNS.split(", ").map(column), ", ")
}
