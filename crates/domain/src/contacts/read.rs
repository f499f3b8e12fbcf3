//! Read one contact with its values.

use super::{ContactDetail, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::fields::entries;
use crate::ids::ContactId;

/// The active contact with this id, with its values and their fields.
pub async fn read(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
) -> Result<ContactDetail, ContactsError> {
    let company = cx.caller.company.id;
    let contact = cx.ports.contacts.read(company, id).await?.ok_or(ContactsError::NotFound)?;
    let keys: Vec<String> =
        contact.field_values.keys().map(|key| key.as_str().to_owned()).collect();
    let directory = cx.ports.fields.directory(company, &keys).await?;
    let field_values = entries(&contact.field_values, &directory);
    Ok(ContactDetail { contact, field_values })
}
