//! List contacts without counting them: after a place, or by the number of a page.

use super::list::{SIZE, most_bytes_of};
use super::value_limit::too_large;
use super::{Contact, ContactsError, ListQuery, PartRequest, Place, Start};
use crate::context::{ContactPorts, Context};

/// A page ends early with the contact at which its stored values reach this many bytes.
const MAX_BYTES: u32 = 8 << 20;

/// The contacts that follow a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Following {
    /// At most as many as the query's page has.
    pub contacts: Vec<Contact>,
    /// The cursor of those that follow them; `None` when these are the last.
    pub next: Option<String>,
}

/// The contacts after a place, or the first ones. The number of the query's page is ignored. A contact that matches
/// unchanged while all pages are read is returned exactly once, regardless of concurrent writes.
pub async fn list_after(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
    after: Option<Place>,
) -> Result<Following, ContactsError> {
    let start = after.map_or(Start::Skipping(0), Start::Behind);
    let part = PartRequest { start, contacts: query.page.size(), bytes: MAX_BYTES };
    let found = cx.ports.contacts.list_part(cx.caller.company.id, query.clone(), part).await?;
    let last = found.contacts.last().filter(|_| found.goes_on);
    let next = last.map(|last| Place::of(last, &query.sorts).to_cursor(&query));
    Ok(Following { contacts: found.contacts, next })
}

/// The requested page of a list, without the number of its contacts. A page of several contacts whose values are larger
/// than 16 MiB is invalid.
pub async fn list_uncounted(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Vec<Contact>, ContactsError> {
    let start = Start::Skipping(query.page.offset());
    let (contacts, bytes) = (query.page.size(), most_bytes_of(query.page));
    let part = PartRequest { start, contacts, bytes };
    let found = cx.ports.contacts.list_part(cx.caller.company.id, query, part).await?;
    let is_full = u32::try_from(found.contacts.len()).is_ok_and(|had| had >= contacts);
    if found.goes_on && !is_full { Err(too_large(SIZE)) } else { Ok(found.contacts) }
}
