//! Read all contacts that a query finds, part by part, however many there are.

use super::{Contact, ContactsError, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;
use crate::time::Timestamp;

/// The most contacts of one part.
const MAX_CONTACTS: u32 = 1000;

/// The most contacts of the first part.
const FIRST_CONTACTS: u32 = 100;

/// The most bytes that the values of one part have before its last contact, as they are stored.
const MAX_BYTES: u32 = 8 << 20;

/// Where an export has got to: behind this contact, in the order in which contacts were created.
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

/// A part of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportPart {
    /// Where it begins; `None` for the beginning of the export.
    pub after: Option<ExportPlace>,
    /// The most contacts that it has.
    pub contacts: u32,
    /// It ends with the contact by which the values of the part have so many bytes.
    pub bytes: u32,
}

/// An export on its way.
#[derive(Debug)]
pub struct Export {
    query: ListQuery,
    part: ExportPart,
}

impl Export {
    /// An export of all contacts that fit a query. The query's order and page do not count.
    #[must_use]
    pub const fn new(query: ListQuery) -> Self {
        let part = ExportPart { after: None, contacts: FIRST_CONTACTS, bytes: MAX_BYTES };
        Self { query, part }
    }

    /// The next contacts, in the order in which they were created, and none at the end. A part is of bounded size, however
    /// long values are. It is as of its own moment, so what is created or deleted meanwhile may be in the export or not,
    /// but nothing is in it twice.
    pub async fn next(
        &mut self,
        cx: &Context<'_, ContactPorts>,
    ) -> Result<Vec<Contact>, ContactsError> {
        let (company, query) = (cx.caller.company.id, self.query.clone());
        let found = cx.ports.contacts.list_after(company, query, self.part).await?;
        if let Some(last) = found.last() {
            self.part = self.part.followed_by(ExportPlace::from(last), found.len());
        }
        Ok(found)
    }
}

impl ExportPart {
    /// The part behind one that had so many contacts. The length of the values of all that a part may have is added up, so
    /// a part may not have many more than the one before it.
    fn followed_by(self, last: ExportPlace, had: usize) -> Self {
        let had = u32::try_from(had).unwrap_or(MAX_CONTACTS);
        let contacts = had.saturating_mul(2).clamp(1, MAX_CONTACTS);
        Self { after: Some(last), contacts, ..self }
    }
}
