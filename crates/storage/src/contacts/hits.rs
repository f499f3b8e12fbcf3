//! One page of the contacts that meet conditions, with their number, on SQLite.
//!
//! The matches are gathered once, by the index that suits the conditions, which gives their number and the sorted page.
//! Only when there are many matches are they counted instead, and the page is read along the index of the sort, which
//! soon meets enough of them.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use super::conditions::Conditions;
use super::gather::{gather, hits};
use super::list::{Found, rows_of};
use super::walk;
use super::window::Window;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::sql;

/// The page and the total. Up to `few` matches are gathered.
pub(super) fn find(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    conditions: &Conditions,
    few: u64,
) -> Result<Found, Failure> {
    let all = hits(query, conditions.all());
    if let Some(found) = gather(connection, company, query, all, few)? {
        return Ok(found);
    }
    let count = sql!("SELECT count(*) AS total FROM contacts WHERE {}", conditions.all());
    let total = u64::try_from(total(connection, count.uncached())?).unwrap_or_default();
    let Some(window) = Window::of(total, query.page.offset(), query.page.size().into()) else {
        return Ok(Found { total, rows: Vec::new() });
    };
    let sorts = query.sorts.keys();
    let page = walk::filtered(connection, sorts, &conditions.all(), &window);
    let rows = connection.rows(rows_of(company, sorts, page))?;
    Ok(Found { total, rows })
}
