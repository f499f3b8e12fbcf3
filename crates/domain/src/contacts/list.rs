//! List contacts.

use super::{Contact, ContactsError, ListOutcome, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::page::{Page, PageRequest};
use crate::violations::{Problem, Violations};

/// The maximum size of the values of the contacts of one page, in MiB, if it has room for several contacts.
const MAX_MIB: u32 = 16;

/// The requested page of active contacts. A page of several contacts whose values are larger than 16 MiB is invalid.
pub async fn list(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Page<Contact>, ContactsError> {
    let bytes = most_bytes(query.page);
    match cx.ports.contacts.list(cx.caller.company.id, query, bytes).await? {
        ListOutcome::Listed(page) => Ok(page),
        ListOutcome::TooLarge => Err(too_large()),
    }
}

/// How many bytes of values a page may have. One contact is always returned, however large it is.
pub(super) const fn most_bytes(page: PageRequest) -> u32 {
    if page.size() > 1 { MAX_MIB << 20 } else { u32::MAX }
}

pub(super) fn too_large() -> ContactsError {
    let sentence = format!(
        "has contacts with more than {MAX_MIB} MiB of values; ask for fewer, or use page[after]"
    );
    Violations::one("page.size", Problem::new(sentence)).into()
}
