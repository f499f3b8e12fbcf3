//! Change a contact, its email included.

use super::validate::validate;
use super::{ChangeContactOutcome, Contact, ContactDraft, ContactsError, ExpectedVersion};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;

/// Changes a contact that is still at the `expected` version, as [`Contact::changed`].
///
/// The draft is validated as on [`create`](super::create()): everything is required except the picture address and the
/// values, which stay when absent and are cleared by null. Errors have this precedence: an invalid request, a domain
/// that is not allowed, no such contact, another version, an email that another contact has.
pub async fn change(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
    draft: &ContactDraft,
    expected: ExpectedVersion,
) -> Result<Contact, ContactsError> {
    let input = validate(cx, draft).await?;
    let at = cx.ports.environment.clock.now();
    match cx.ports.contacts.change(cx.author(), id, input, expected, at).await? {
        ChangeContactOutcome::Changed(contact) => Ok(contact),
        ChangeContactOutcome::NotFound => Err(ContactsError::NotFound),
        ChangeContactOutcome::Stale => Err(ContactsError::Stale),
        ChangeContactOutcome::EmailTaken(holder) => Err(ContactsError::AlreadyExists(holder)),
        ChangeContactOutcome::EmailOfDeleted => Err(ContactsError::EmailOfDeleted),
    }
}
