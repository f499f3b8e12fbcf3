//! List contacts.

use super::{Contact, ContactsError, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::page::Page;

/// The requested page of active contacts.
pub async fn list(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Page<Contact>, ContactsError> {
    Ok(cx.ports.contacts.list(cx.caller.company.id, query).await?)
}
