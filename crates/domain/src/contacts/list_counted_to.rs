//! List contacts, which are counted up to a number.

use super::list::list;
use super::list_after::list_uncounted;
use super::{Contact, ContactsError, ListQuery, PartRequest, Start};
use crate::context::{ContactPorts, Context};
use crate::page::Page;

/// A page of a list whose contacts were counted up to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedTo {
    /// The page. If there are more contacts than were counted, its total is the number up to which they were.
    pub page: Page<Contact>,
    /// Whether there are more contacts than were counted.
    pub are_more: bool,
}

/// The requested page of a list, with the number of its contacts unless they are more than `most`: millions of matches of
/// several conditions may take seconds to count. The matches of one condition or term, and those before a page behind the
/// first `most`, are always counted. The page and the number are read one after the other. A page of several contacts whose
/// values are larger than 16 MiB is invalid.
pub async fn list_counted_to(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
    most: u64,
) -> Result<CountedTo, ContactsError> {
    let request = query.page;
    let is_among_first = request.offset().saturating_add(request.size().into()) <= most;
    if !is_among_first
        || !query.has_several_conditions()
        || !has_more_than(cx, query.clone(), most).await?
    {
        return Ok(CountedTo { page: list(cx, query).await?, are_more: false });
    }
    let contacts = list_uncounted(cx, query).await?;
    Ok(CountedTo { page: Page::new(request, most, contacts), are_more: true })
}

/// Whether a contact follows the first ones, of which there are this many.
async fn has_more_than(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
    most: u64,
) -> Result<bool, ContactsError> {
    let next = PartRequest { start: Start::Skipping(most), contacts: 1, bytes: u32::MAX };
    let company = cx.caller.company.id;
    let found = cx.ports.contacts.list_part(company, query.without_values(), next).await?;
    Ok(!found.contacts.is_empty())
}
