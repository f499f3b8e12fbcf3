//! Create a contact, or restore a deleted one with the same email.

use super::validate::validate;
use super::{Contact, ContactDraft, ContactsError, CreateContactOutcome, NewContact};
use crate::context::Context;
use crate::ids::ContactId;

/// Creates a contact; a deleted contact with the email's identity is restored and updated instead.
///
/// Problems come in this order: an invalid request, a domain that is not allowed, an active contact with the email.
pub async fn create(cx: &Context<'_>, draft: &ContactDraft) -> Result<Contact, ContactsError> {
    let input = validate(cx, draft).await?;
    let id = ContactId::new(cx.ports.ids.next());
    let new = NewContact { id, input, at: cx.ports.clock.now() };
    match cx.ports.contacts.create(cx.caller.company.id, new).await? {
        CreateContactOutcome::Created(contact) | CreateContactOutcome::Restored(contact) => {
            Ok(contact)
        }
        CreateContactOutcome::EmailTaken(holder) => Err(ContactsError::AlreadyExists(holder)),
    }
}
