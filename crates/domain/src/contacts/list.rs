//! List contacts.

use super::value_limit::{most_bytes, too_large};
use super::{Contact, ContactsError, ListOutcome, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::page::{Page, PageRequest};

/// The input that is invalid if a page is too large.
pub(super) const SIZE: &str = "page.size";

/// The requested page of active contacts. A page of several contacts whose values are larger than 16 MiB is invalid.
pub async fn list(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Page<Contact>, ContactsError> {
    let bytes = most_bytes_of(query.page);
    match cx.ports.contacts.list(cx.caller.company.id, query, bytes).await? {
        ListOutcome::Listed(page) => Ok(page),
        ListOutcome::TooLarge => Err(too_large(SIZE)),
    }
}

/// How many bytes of values a page may have.
pub(super) fn most_bytes_of(page: PageRequest) -> u32 {
    most_bytes(usize::try_from(page.size()).unwrap_or(usize::MAX))
}
