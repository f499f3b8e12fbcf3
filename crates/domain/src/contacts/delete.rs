//! Delete one contact.

use super::{ContactsError, DeleteContactOutcome, ExpectedVersion};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;

/// Deletes an active contact. Rejected when it is not at the `expected` version.
pub async fn delete(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
    expected: ExpectedVersion,
) -> Result<(), ContactsError> {
    match cx
        .ports
        .contacts
        .delete(cx.author(), id, expected, cx.ports.environment.clock.now())
        .await?
    {
        DeleteContactOutcome::Deleted => Ok(()),
        DeleteContactOutcome::NotFound => Err(ContactsError::NotFound),
        DeleteContactOutcome::Stale => Err(ContactsError::Stale),
    }
}
