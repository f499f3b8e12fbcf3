//! Read all contacts that a query finds, part by part, however many there are.

use super::{Contact, ContactsError, ListQuery};
use crate::context::Context;
use crate::fields::{Field, FieldType, MAX_STRING_VALUE};
use crate::ids::ContactId;
use crate::time::Timestamp;

/// The most contacts of one part.
const MAX_CONTACTS: usize = 1000;

/// The most characters that the values of one part may have, unless a single contact may have more.
const MAX_CHARACTERS: usize = 8 << 20;

/// What a contact takes beside its texts, in characters.
const BASE: usize = 1024;

/// The longest value of a field that is no text, in characters.
const SHORT_VALUE: usize = 64;

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

/// The next contacts that fit the query, in the order in which they were created, and none at the end. How many depends on
/// how long they can be with these fields, which are all that the company has, so that a part is of bounded size. The query's order and page do not count. A part is as of its own moment, so what is created or deleted meanwhile
/// may be in the export or not, but nothing is in it twice.
pub async fn export(
    cx: &Context<'_>,
    query: &ListQuery,
    fields: &[Field],
    after: Option<ExportPlace>,
) -> Result<Vec<Contact>, ContactsError> {
    let (company, query) = (cx.caller.company.id, query.clone());
    Ok(cx.ports.contacts.list_after(company, query, after, part_of(fields)).await?)
}

/// How many contacts with these fields make a part.
fn part_of(fields: &[Field]) -> u32 {
    let longest = |field: &Field| match field.kind {
        FieldType::String => MAX_STRING_VALUE,
        FieldType::Number | FieldType::Date | FieldType::DateTime | FieldType::Boolean => {
            SHORT_VALUE
        }
    };
    let contact = BASE + fields.iter().map(longest).sum::<usize>();
    let count = (MAX_CHARACTERS / contact).clamp(1, MAX_CONTACTS);
    u32::try_from(count).unwrap_or(1)
}
