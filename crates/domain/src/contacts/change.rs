//! Change a contact, its email included.

use super::validate::{in_allowed_domain, still_permitted};
use super::{
    ChangeContactOutcome, ChangeDraft, ChangedValues, ContactDetail, ContactsError, ExpectedVersion,
};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;

/// Changes a contact that is still at the `expected` version, as [`Contact::changed`](super::Contact::changed). A change
/// after which nothing differs keeps the version.
///
/// Errors have this precedence: an invalid request, a domain that is not allowed, no such contact, another version, an
/// email that another contact has or that is blocked.
pub async fn change(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
    draft: &ChangeDraft,
    values: ChangedValues,
    expected: ExpectedVersion,
) -> Result<ContactDetail, ContactsError> {
    let company = cx.caller.company.id;
    let keys: Vec<&str> = draft.field_values.keys().collect();
    let directory = cx.ports.fields.directory(company, &keys).await?;
    let change = draft.validate(&directory, values)?;
    if let Some(email) = &change.email {
        in_allowed_domain(cx, email)?;
    }
    let at = cx.ports.environment.clock.now();
    let store = &cx.ports.contacts;
    let mut outcome = store.change(cx.author(), id, change.clone(), expected.clone(), at).await?;
    if let (ChangeContactOutcome::EmailBlocked, Some(email)) = (&outcome, &change.email) {
        still_permitted(cx, email).await?;
        outcome = store.change(cx.author(), id, change, expected, at).await?;
    }
    match outcome {
        ChangeContactOutcome::Changed(changed) => Ok(changed),
        ChangeContactOutcome::NotFound => Err(ContactsError::NotFound),
        ChangeContactOutcome::Stale => Err(ContactsError::Stale),
        ChangeContactOutcome::EmailTaken(holder) => Err(ContactsError::AlreadyExists(holder)),
        ChangeContactOutcome::EmailOfDeleted => Err(ContactsError::EmailOfDeleted),
        ChangeContactOutcome::EmailBlocked => Err(ContactsError::Erased),
    }
}
