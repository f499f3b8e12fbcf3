//! List contacts of which there are many, without counting them.

use super::list_after::list_uncounted;
use super::{Contact, ContactsError, ListQuery, PartRequest, Start};
use crate::context::{ContactPorts, Context};

/// A page of a list with more contacts than were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OfMany {
    /// The contacts of the page.
    pub contacts: Vec<Contact>,
    /// The list has more contacts than this.
    pub more_than: u64,
}

/// The requested page of a list with more than `most` contacts, unless it is the last page; `None` otherwise. Where matches are
/// dense this takes less than [`list`](super::list()), which counts all of them; where they are sparse it takes longer. The page
/// is read after the contact that shows that there are more. A page of several contacts whose values are larger than 16 MiB is
/// invalid.
pub async fn list_of_many(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
    most: u64,
) -> Result<Option<OfMany>, ContactsError> {
    let end = query.page.offset().saturating_add(query.page.size().into());
    let more_than = most.max(end);
    if !has_more_than(cx, query.clone(), more_than).await? {
        return Ok(None);
    }
    let contacts = list_uncounted(cx, query).await?;
    Ok(Some(OfMany { contacts, more_than }))
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
