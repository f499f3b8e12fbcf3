//! Read all contacts that a query finds, part by part, however many there are.

use super::{Contact, ContactsError, ListQuery, Part, PartRequest, Place, Start};
use crate::context::{ContactPorts, Context};

/// The maximum number of contacts of one part.
const MAX_CONTACTS: u32 = 1000;

/// The maximum number of contacts of the first part.
const FIRST_CONTACTS: u32 = 100;

/// A part ends with the contact at which its stored values reach this many bytes. In memory they take several times as
/// many.
const MAX_BYTES: u32 = 512 << 10;

/// A running export.
#[derive(Debug)]
pub struct Export {
    query: ListQuery,
    /// The next part; `None` at the end.
    part: Option<PartRequest>,
}

impl Export {
    /// An export of all contacts that match a query, or of those after a place. The query's page is ignored.
    #[must_use]
    pub fn new(query: ListQuery, after: Option<Place>) -> Self {
        let start = after.map_or(Start::Skipping(0), Start::Behind);
        let part = PartRequest { start, contacts: FIRST_CONTACTS, bytes: MAX_BYTES };
        Self { query, part: Some(part) }
    }

    /// Returns the next contacts in the query's order, and none at the end. The size of a part is bounded, however long
    /// values are. Each part is read separately: a contact that matches unchanged throughout is returned exactly once.
    pub async fn next(
        &mut self,
        cx: &Context<'_, ContactPorts>,
    ) -> Result<Vec<Contact>, ContactsError> {
        let Some(part) = self.part.clone() else { return Ok(Vec::new()) };
        let (company, query) = (cx.caller.company.id, self.query.clone());
        let Part { contacts, goes_on } =
            cx.ports.contacts.list_part(company, query, part.clone()).await?;
        let last = contacts.last().filter(|_| goes_on);
        self.part =
            last.map(|last| part.followed_by(Place::of(last, &self.query.sorts), contacts.len()));
        Ok(contacts)
    }

    /// The cursor with which another export continues after a contact of this one.
    #[must_use]
    pub fn cursor(&self, contact: &Contact) -> String {
        Place::of(contact, &self.query.sorts).to_cursor(&self.query)
    }
}

impl PartRequest {
    /// The next part of an export. A store sums the lengths of all values that a part may have, so the limit on contacts
    /// at most doubles from part to part.
    fn followed_by(self, last: Place, had: usize) -> Self {
        let had = u32::try_from(had).unwrap_or(MAX_CONTACTS);
        let contacts = had.saturating_mul(2).clamp(1, MAX_CONTACTS);
        Self { start: Start::Behind(last), contacts, ..self }
    }
}
