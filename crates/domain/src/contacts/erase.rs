//! Erase one contact.

use super::ContactsError;
use crate::context::{Context, ErasurePorts};
use crate::ids::ContactId;
use crate::property::Property;
use crate::rules::{unless_absent, valid};

/// The input for an erasure.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ErasureDraft {
    /// Whether the contact's email is blocked from now on. Absent means that it is not.
    #[garde(custom(unless_absent))]
    pub block: Property<bool>,
}

/// Erases a contact, active or deleted: nothing of it stays but the entry of the erasure in the change feed and, if its
/// email is blocked, a keyed hash of it.
pub async fn erase(
    cx: &Context<'_, ErasurePorts>,
    id: ContactId,
    draft: &ErasureDraft,
) -> Result<(), ContactsError> {
    let block = valid(draft, (), |()| Some(draft.block.or(&false)))?;
    let key = if block { Some(cx.ports.blocked_emails.key().await?) } else { None };
    let at = cx.ports.environment.clock.now();
    if cx.ports.erasures.erase(cx.author(), id, key, at).await? {
        Ok(())
    } else {
        Err(ContactsError::NotFound)
    }
}
