//! One page of the contacts that match a query, with the exact total.
//!
//! Without a condition the total is a stored count, and the page is read along the index of its first sort key
//! (`walk`), from the nearer end. With conditions the way to the matches is chosen by their number: on PostgreSQL in
//! `matches`, on SQLite in `hits`.

use tokio::time::Instant;

use contact_hub_domain::contacts::{Contact, ListOutcome, ListQuery};
use contact_hub_domain::fields::FieldValues;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::Page;
use contact_hub_domain::ports::StoreError;

use super::by_value::ByValue;
use super::conditions::Conditions;
use super::hits::Hits;
use super::kinds::kinds;
use super::limits::ListLimits;
use super::matches::Matches;
use super::merged_ranges::with_merged_ranges;
use super::page_rows::{Found, rows_of};
use super::page_values::with_values;
use super::prepared::reading;
use super::skipped::walked;
use super::walk;
use super::window::Window;
use crate::Storage;
use crate::connection::Connection;
use crate::contacts::document::Decoder;
use crate::counts::stored_total;
use crate::failure::Failure;

impl Storage {
    /// As [`ContactStore::list`](contact_hub_domain::contacts::ContactStore::list), with other limits, so that a test
    /// sees every way on few contacts, and with any amount of values.
    pub async fn list_within(
        &self,
        company: CompanyId,
        query: ListQuery,
        limits: ListLimits,
    ) -> Result<Page<Contact>, StoreError> {
        let page = query.page;
        Ok(match self.list_page(company, query, limits, u32::MAX).await? {
            ListOutcome::Listed(page) => page,
            ListOutcome::TooLarge => Page::new(page, 0, Vec::new()),
        })
    }

    /// One page and the total, both from one snapshot.
    pub(in crate::contacts) async fn list_page(
        &self,
        company: CompanyId,
        query: ListQuery,
        limits: ListLimits,
        bytes: u32,
    ) -> Result<ListOutcome, StoreError> {
        let (storage, began) = (self.clone(), Instant::now());
        let query = with_merged_ranges(query);
        let reading = reading(self.opener().is_cluster(), company, &query);
        self.read_anywhere(reading, move |connection| {
            let Found { total, rows } = find(&storage, connection, company, &query, limits)?;
            let decoder = Decoder::new(&storage, company).since(began);
            let contacts = if query.omits_values {
                Some(rows.into_iter().map(|row| row.into_contact(FieldValues::new())).collect())
            } else {
                with_values(decoder, connection, company, rows, bytes)?
            };
            let listed = contacts.map(|contacts| Page::new(query.page, total, contacts));
            Ok(listed.map_or(ListOutcome::TooLarge, ListOutcome::Listed))
        })
        .await
    }
}

fn find(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    limits: ListLimits,
) -> Result<Found, Failure> {
    let kinds = kinds(storage, connection, company, query)?;
    let mut conditions = Conditions::of(connection, company, query, &kinds);
    conditions.find_substrings(connection)?;
    match connection {
        _ if conditions.is_empty() => unfiltered(connection, company, query, &conditions, limits),
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
    limits: ListLimits,
) -> Result<Found, Failure> {
    let far = limits.far;
    let total = stored_total(connection, company)?;
    let Some(window) = Window::of(total, query.page.offset(), query.page.size().into()) else {
        return Ok(Found { total, rows: Vec::new() });
    };
    let sorts = query.sorts.keys();
    if let Some(by_value) = ByValue::of(company, query, conditions, limits) {
        return Ok(Found { total, rows: by_value.page(connection, total)? });
    }
    let walked = walked(connection, company, sorts, conditions.scope().clone(), window, far)?;
    let page = walk::unfiltered(connection, company, sorts, &walked.scope, &walked.window, far);
    let page = rows_of(connection, conditions, sorts, page);
    let rows = connection.rows(page)?;
    Ok(Found { total, rows })
}
