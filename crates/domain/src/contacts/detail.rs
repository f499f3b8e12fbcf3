//! Contacts with their values and the fields of these.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::{Contact, ContactDetail, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::fields::{Directory, FieldKey, entries};

/// The number of hexadecimal digits of a digest of names.
const NAMES_DIGITS: usize = 16;

impl ContactDetail {
    /// The contact with those of its values whose fields the directory has.
    #[must_use]
    pub fn of(contact: Contact, directory: &Directory) -> Self {
        let field_values = entries(&contact.field_values, directory);
        Self { contact, field_values }
    }

    /// A digest of the names of the fields, in hexadecimal digits; `None` without values. The names are part of what is
    /// shown, and change without the contact.
    #[must_use]
    pub fn names_digest(&self) -> Option<String> {
        if self.field_values.is_empty() {
            return None;
        }
        let mut digest = Sha256::new();
        for entry in &self.field_values {
            let name = entry.field.name.as_str();
            digest.update(name.len().to_be_bytes());
            digest.update(name);
        }
        let mut digits = hex::encode(digest.finalize());
        digits.truncate(NAMES_DIGITS);
        Some(digits)
    }
}

/// The contact with its values and their fields.
pub(super) async fn detail(
    cx: &Context<'_, ContactPorts>,
    contact: Contact,
) -> Result<ContactDetail, ContactsError> {
    let keys = contact.field_values.keys().map(|key| key.as_str().to_owned()).collect::<Vec<_>>();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    Ok(ContactDetail::of(contact, &directory))
}

/// The contacts with their values and the fields of these, which are looked up once for all.
pub async fn details(
    cx: &Context<'_, ContactPorts>,
    contacts: Vec<Contact>,
) -> Result<Vec<ContactDetail>, ContactsError> {
    let keys = contacts.iter().flat_map(|contact| contact.field_values.keys());
    let keys: BTreeSet<&str> = keys.map(FieldKey::as_str).collect();
    let keys: Vec<String> = keys.into_iter().map(str::to_owned).collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    Ok(contacts.into_iter().map(|contact| ContactDetail::of(contact, &directory)).collect())
}
