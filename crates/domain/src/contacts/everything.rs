//! Everything that is stored about one person.

use super::{Contact, ContactDetail, ContactsError};
use crate::changes::ChangeEntry;
use crate::context::{Context, ErasurePorts};
use crate::fields::FieldKey;
use crate::ids::ContactId;
use crate::webhooks::Delivery;

/// The maximum number of entries of the change feed, and of deliveries, in the document of a person: the latest ones.
pub const MAX_KNOWN: u32 = 10_000;

/// What is stored about a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The contact, active or deleted.
    pub contact: Contact,
    /// Its entries of the change feed, the oldest first.
    pub changes: Vec<ChangeEntry>,
    /// The deliveries of events that name it, the oldest first.
    pub deliveries: Vec<Delivery>,
}

/// Everything that is stored about one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Everything {
    /// The contact with its values, active or deleted.
    pub detail: ContactDetail,
    /// Its entries of the change feed, the oldest first.
    pub changes: Vec<ChangeEntry>,
    /// The deliveries of events that name it, the oldest first.
    pub deliveries: Vec<Delivery>,
}

/// Everything that is stored about a contact, active or deleted.
pub async fn everything(
    cx: &Context<'_, ErasurePorts>,
    id: ContactId,
) -> Result<Everything, ContactsError> {
    let company = cx.caller.company.id;
    let known = cx.ports.erasures.known(company, id, MAX_KNOWN).await?;
    let Known { contact, changes, deliveries } = known.ok_or(ContactsError::NotFound)?;
    let keys: Vec<&str> = contact.field_values.keys().map(FieldKey::as_str).collect();
    let directory = cx.ports.fields.directory(company, &keys).await?;
    Ok(Everything { detail: ContactDetail::of(contact, directory), changes, deliveries })
}
