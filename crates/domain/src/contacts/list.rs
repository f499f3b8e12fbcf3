//! List contacts.

use super::{Contact, ContactsError, ListQuery};
use crate::context::Context;
use crate::page::Page;

/// The page of active contacts that a request's query asks for, in its undecoded form.
pub async fn list(cx: &Context<'_>, query: &str) -> Result<Page<Contact>, ContactsError> {
    let query = ListQuery::parse(query)?;
    Ok(cx.ports.contacts.list(cx.caller.company.id, query).await?)
}
