//! List contacts, which are counted up to a number.

use super::list::list;
use super::list_after::list_uncounted_part;
use super::{Contact, ContactsError, ListQuery, PartRequest, Start};
use crate::context::{ContactPorts, Context};
use crate::page::Page;

/// A page of a list whose contacts were counted up to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedTo {
    /// The page. If there are more contacts, its total is the number up to which they were counted.
    pub page: Page<Contact>,
    /// Whether there are more contacts.
    pub are_more: bool,
}

/// The requested page of a list, with the number of its contacts unless they are more than `most`: millions of matches of
/// several conditions may take seconds to count. All contacts of the company are always counted, as their number is stored.
/// The page and the number are read one after the other. A page of several contacts whose values are larger than 16 MiB is
/// invalid.
pub async fn list_counted_to(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
    most: u64,
) -> Result<CountedTo, ContactsError> {
    if !query.is_narrowed() {
        return Ok(CountedTo { page: list(cx, query).await?, are_more: false });
    }
    let request = query.page;
    let part = list_uncounted_part(cx, query.clone()).await?;
    let found = u64::try_from(part.contacts.len()).unwrap_or(u64::MAX);
    let until = request.offset().saturating_add(found);
    let is_last = !part.goes_on && (found > 0 || request.offset() == 0);
    if is_last {
        return Ok(CountedTo { page: Page::new(request, until, part.contacts), are_more: false });
    }
    if part.goes_on && (until >= most || has_more_than(cx, query.clone(), most).await?) {
        return Ok(CountedTo { page: Page::new(request, most, part.contacts), are_more: true });
    }
    Ok(CountedTo { page: list(cx, query).await?, are_more: false })
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
