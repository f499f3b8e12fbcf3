//! One page of the contacts that match a query, with the exact total.
//!
//! Without a condition the total is a stored count, and the page is read along the index of its first sort key
//! (`walk`), from the nearer end. With conditions the way to the matches is chosen by their number: on PostgreSQL in
//! `matches`, on SQLite in `hits`.

use tokio::time::Instant;

use contact_hub_domain::contacts::{Contact, ListQuery, Sort};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::Page;

use super::by_value::ByValue;
use super::conditions::Conditions;
use super::document::Decoder;
use super::hits::Hits;
use super::indexed;
use super::limits::ListLimits;
use super::matches::Matches;
use super::order::order;
use super::rows::{COLUMNS, ContactRow};
use super::walk;
use super::window::Window;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// A page of the matches, and their number.
pub(super) struct Found {
    pub(super) total: u64,
    pub(super) rows: Vec<ContactRow>,
}

/// Returns one page and the total, both from one snapshot, for a call that began at a moment.
pub(super) fn list(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    limits: ListLimits,
    began: Instant,
) -> Result<Page<Contact>, Failure> {
    let found = find(connection, company, query, limits)?;
    let mut decoder = Decoder::new(storage, company).since(began);
    let mut contacts = Vec::with_capacity(found.rows.len());
    for row in found.rows {
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values));
    }
    Ok(Page::new(query.page, found.total, contacts))
}

fn find(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    limits: ListLimits,
) -> Result<Found, Failure> {
    indexed::require(connection, company, query)?;
    let conditions = Conditions::of(connection, company, query);
    match connection {
        _ if conditions.is_empty() => {
            unfiltered(connection, company, query, &conditions, limits.far)
        }
        Connection::Postgres(_) => {
            Matches { company, query, conditions: &conditions, limits }.find(connection)
        }
        Connection::Sqlite(_) => Hits::of(company, query, &conditions, limits).find(connection),
    }
}

fn unfiltered(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    conditions: &Conditions,
    far: u64,
) -> Result<Found, Failure> {
    let total = stored_total(connection, company)?;
    let Some(window) = Window::of(total, query.page.offset(), query.page.size().into()) else {
        return Ok(Found { total, rows: Vec::new() });
    };
    let sorts = query.sorts.keys();
    if let Some(by_value) = ByValue::of(company, sorts, conditions) {
        return Ok(Found { total, rows: by_value.page(connection, query.page, total)? });
    }
    let page = walk::unfiltered(connection, company, sorts, conditions.scope(), &window, far);
    let rows = connection.rows(rows_of(company, sorts, page))?;
    Ok(Found { total, rows })
}

/// The number of active contacts of a company.
pub(crate) fn stored_total(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<u64, Failure> {
    let text = "SELECT active + CAST(coalesce((SELECT sum(contacts) FROM count_changes \
         WHERE company_id = ?), 0) AS bigint) AS total FROM contact_counts WHERE company_id = ?";
    let total = total(connection, statement(text).bind(company).bind(company))?;
    Ok(u64::try_from(total).unwrap_or_default())
}

/// The rows of a page whose ids and sort keys a statement finds: no other row is read.
pub(super) fn rows_of(company: CompanyId, sorts: &[Sort], page: Statement) -> Statement {
    let select = sql!(
        "SELECT {} FROM ({}) AS page JOIN contacts ON contacts.company_id = ? AND contacts.id = page.id ORDER BY {}",
        columns(),
        page,
        order(sorts, false, "page."),
    );
    select.bind(company).uncached()
}

/// The columns of a contact's row.
pub(super) fn columns() -> Statement {
    joined(COLUMNS.split(", ").map(|column| sql!("contacts.{}", column)), ", ")
}
