//! Create a contact, or restore a deleted one with the same email.

use super::{Contact, ContactDraft, ContactsError, CreateContactOutcome, NewContact};
use crate::context::Context;
use crate::ids::ContactId;

/// Creates a contact; a deleted contact with the email's identity is restored and updated instead.
///
/// Refusals come in this order: an invalid request, a domain that is not allowed, an active contact with the email.
pub async fn create(cx: &Context<'_>, draft: &ContactDraft) -> Result<Contact, ContactsError> {
    let company = &cx.caller.company;
    let keys: Vec<String> = draft.field_values.keys().map(str::to_owned).collect();
    let directory = cx.ports.fields.directory(company.id, &keys).await?;
    let input = draft.judge(&directory)?;
    if !company.allowed_domains.permits(input.email.domain()) {
        return Err(ContactsError::DomainNotAllowed);
    }
    let id = ContactId::new(cx.ports.ids.next());
    let new = NewContact { id, input, at: cx.ports.clock.now() };
    match cx.ports.contacts.create(company.id, new).await? {
        CreateContactOutcome::Created(contact) | CreateContactOutcome::Restored(contact) => {
            Ok(contact)
        }
        CreateContactOutcome::EmailTaken(holder) => Err(ContactsError::AlreadyExists(holder)),
    }
}
