//! The rows of a page of contacts.

use contact_hub_domain::contacts::Sort;

use super::conditions::Conditions;
use super::order::order;
use super::rows::{COLUMNS, ContactRow};
use crate::statement::{Statement, joined, sql};

/// A page of the matches, and their number.
pub(super) struct Found {
    pub(super) total: u64,
    pub(super) rows: Vec<ContactRow>,
}

/// The rows of a page of a list with these conditions, whose ids and sort keys a statement finds: no other row is read.
pub(super) fn rows_of(conditions: &Conditions, sorts: &[Sort], page: Statement) -> Statement {
    let select = sql!(
        "SELECT {} FROM ({}) AS page JOIN contacts ON contacts.company_id = ? AND contacts.id = page.id ORDER BY {}",
        columns(),
        page,
        order(sorts, false, "page."),
    );
    conditions.of_list(select.bind(conditions.company()))
}

/// The columns of a contact's row.
pub(super) fn columns() -> Statement {
    joined(COLUMNS.split(", ").map(|column| sql!("contacts.{}", column)), ", ")
}
