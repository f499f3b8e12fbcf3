//! Erase one contact.

use super::ContactsError;
use crate::context::{Context, ErasurePorts};
use crate::ids::ContactId;

/// Erases a contact, active or deleted: nothing of it stays but the entry of the erasure in the change feed.
pub async fn erase(cx: &Context<'_, ErasurePorts>, id: ContactId) -> Result<(), ContactsError> {
    let at = cx.ports.environment.clock.now();
    if cx.ports.erasures.erase(cx.author(), id, at).await? {
        Ok(())
    } else {
        Err(ContactsError::NotFound)
    }
}
