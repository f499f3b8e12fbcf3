//! A part of a list, without a total, read along the index of the first sort key from where it begins. If the values of the
//! contacts are needed, the database adds up their sizes, so that no row past the end of the part is read.

use tokio::time::Instant;

use contact_hub_domain::contacts::{ListQuery, Part, PartRequest, Start};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::conditions::Conditions;
use super::kinds::kinds;
use super::limits::ListLimits;
use super::merged_ranges::with_merged_ranges;
use super::prepared::reading;
use super::search::Search;
use super::window::Window;
use crate::Storage;
use crate::connection::Connection;
use crate::contacts::document::Decoder;
use crate::failure::Failure;

impl Storage {
    /// As [`ContactStore::list_part`](contact_hub_domain::contacts::ContactStore::list_part), with other limits.
    pub async fn list_part_within(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: PartRequest,
        limits: ListLimits,
    ) -> Result<Part, StoreError> {
        let (storage, began) = (self.clone(), Instant::now());
        let query = with_merged_ranges(query);
        let reading = reading(self.opener().is_cluster(), company, &query);
        self.read_anywhere(reading, move |connection| {
            list_part(&storage, connection, company, &query, &part, limits, began)
        })
        .await
    }
}

fn list_part(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    request: &PartRequest,
    limits: ListLimits,
    began: Instant,
) -> Result<Part, Failure> {
    let kinds = kinds(storage, connection, company, query)?;
    let mut conditions = Conditions::of(connection, company, query, &kinds);
    conditions.find_substrings(connection)?;
    let (place, offset) = match &request.start {
        Start::Skipping(contacts) => (None, *contacts),
        Start::Behind(place) => (Some(place), 0),
    };
    // One more shows whether others follow.
    let limit = u64::from(request.contacts) + 1;
    let window = Window { from_the_end: false, limit, offset };
    let search = Search { company, query, conditions: &conditions, place, window, limits };
    let (rows, found) = search.part(connection, request.bytes)?;
    let mut decoder = Decoder::new(storage, company).since(began);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows.into_iter().take(usize::try_from(request.contacts).unwrap_or(usize::MAX)) {
        let values = decoder.decode(connection, &row.contact.field_values)?;
        contacts.push(row.contact.into_contact(values));
    }
    let goes_on = u64::try_from(contacts.len()).is_ok_and(|had| had < found);
    Ok(Part { contacts, goes_on })
}
