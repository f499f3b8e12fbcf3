//! Read all contacts that a query finds, part by part, however many there are.

use super::{Contact, ContactsError, ListQuery};
use crate::context::Context;
use crate::ids::ContactId;
use crate::time::Timestamp;

/// The most contacts of one part.
pub const EXPORT_PART: u32 = 1000;

/// Where an export stands: behind this contact, in the order in which contacts were created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportPlace {
    /// When the contact was created.
    pub created_at: Timestamp,
    /// Its id.
    pub id: ContactId,
}

impl From<&Contact> for ExportPlace {
    fn from(contact: &Contact) -> Self {
        Self { created_at: contact.created_at, id: contact.id }
    }
}

/// The next contacts that fit the query, in the order in which they were created; at most [`EXPORT_PART`], and none at the
/// end. The query's order and page do not count. A part is as of its own moment, so what is created or deleted meanwhile
/// may be in the export or not, but nothing is in it twice.
pub async fn export(
    cx: &Context<'_>,
    query: &ListQuery,
    after: Option<ExportPlace>,
) -> Result<Vec<Contact>, ContactsError> {
    let (company, query) = (cx.caller.company.id, query.clone());
    Ok(cx.ports.contacts.list_after(company, query, after, EXPORT_PART).await?)
}
