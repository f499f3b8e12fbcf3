//! Contacts with their values and the fields of the values.

use std::collections::BTreeSet;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Contact, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::fields::{Directory, FieldKey, FieldValueEntry, entries};

/// The number of hexadecimal digits of a digest of names.
const NAMES_DIGITS: usize = 16;

/// A contact with its values and their fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContactDetail {
    /// The contact.
    pub contact: Contact,
    directory: Arc<Directory>,
}

impl ContactDetail {
    /// The contact with those of its values whose fields the directory has.
    #[must_use]
    pub const fn of(contact: Contact, directory: Arc<Directory>) -> Self {
        Self { contact, directory }
    }

    /// Its values, in the order in which their fields were created.
    #[must_use]
    pub fn field_values(&self) -> Vec<FieldValueEntry<'_>> {
        entries(&self.contact.field_values, &self.directory)
    }

    /// A digest of the names of the fields, in hexadecimal digits; `None` without values. The names are part of what is
    /// shown, and change without the contact.
    #[must_use]
    pub fn names_digest(&self) -> Option<String> {
        let values = self.field_values();
        if values.is_empty() {
            return None;
        }
        let mut digest = Sha256::new();
        for entry in values {
            let name = entry.field.name.as_str();
            digest.update(name.len().to_be_bytes());
            digest.update(name);
        }
        let digest = digest.finalize();
        Some(hex::encode(digest.get(..NAMES_DIGITS / 2)?))
    }
}

/// The contact with its values and their fields.
pub(super) async fn detail(
    cx: &Context<'_, ContactPorts>,
    contact: Contact,
) -> Result<ContactDetail, ContactsError> {
    let keys: Vec<&str> = contact.field_values.keys().map(FieldKey::as_str).collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    Ok(ContactDetail::of(contact, directory))
}

/// The contacts with their values and the fields of the values. The fields are looked up once for all contacts.
pub async fn details(
    cx: &Context<'_, ContactPorts>,
    contacts: Vec<Contact>,
) -> Result<Vec<ContactDetail>, ContactsError> {
    let keys = contacts.iter().flat_map(|contact| contact.field_values.keys());
    let keys: BTreeSet<&str> = keys.map(FieldKey::as_str).collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    let detail = |contact| ContactDetail::of(contact, Arc::clone(&directory));
    Ok(contacts.into_iter().map(detail).collect())
}
