//! Read one contact with its values.

use super::detail::detail;
use super::{ContactDetail, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;

/// The active contact with this id, with its values and their fields.
pub async fn read(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
) -> Result<ContactDetail, ContactsError> {
    let contact = cx.ports.contacts.read(cx.caller.company.id, id).await?;
    detail(cx, contact.ok_or(ContactsError::NotFound)?).await
}
