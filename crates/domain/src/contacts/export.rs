//! Read all contacts that a query finds, part by part, however many there are.

use super::{Contact, ContactsError, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;
use crate::time::Timestamp;

/// The most contacts of one part.
const MAX_CONTACTS: u32 = 1000;

/// The most contacts of the first part.
const FIRST_CONTACTS: u32 = 100;

/// A part ends with the contact whose stored values exceed this many bytes in total.
const MAX_BYTES: u32 = 8 << 20;

/// The position of an export: after this contact, in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Its beginning; `None` for the beginning of the export.
    pub after: Option<ExportPlace>,
    /// The most contacts that it has.
    pub contacts: u32,
    /// The part ends with the contact by which its values have this many bytes.
    pub bytes: u32,
}

/// A running export.
#[derive(Debug)]
pub struct Export {
    query: ListQuery,
    part: ExportPart,
}

impl Export {
    /// An export of all contacts that match a query. The query's order and page are ignored.
    #[must_use]
    pub const fn new(query: ListQuery) -> Self {
        let part = ExportPart { after: None, contacts: FIRST_CONTACTS, bytes: MAX_BYTES };
        Self { query, part }
    }

    /// Returns the next contacts in the order of creation, and none at the end. The size of a part is bounded, however
    /// long values are. Each part is read separately, so a contact that is created or deleted in the meantime may be
    /// missing, but none is repeated.
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
    /// The next part. A store sums the lengths of all values that a part may have, so the limit on contacts at most
    /// doubles from part to part.
    fn followed_by(self, last: ExportPlace, had: usize) -> Self {
        let had = u32::try_from(had).unwrap_or(MAX_CONTACTS);
        let contacts = had.saturating_mul(2).clamp(1, MAX_CONTACTS);
        Self { after: Some(last), contacts, ..self }
    }
}
