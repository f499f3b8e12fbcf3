//! Unblock an email.

use super::ContactsError;
use crate::context::{Context, ErasurePorts};
use crate::email::Email;
use crate::property::Property;
use crate::rules::{required, valid};

/// The input for unblocking an email.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct UnblockDraft {
    /// The email.
    #[garde(custom(required))]
    pub email: Property<Email>,
}

/// Lets an email be used again, whether or not it was blocked.
pub async fn unblock(
    cx: &Context<'_, ErasurePorts>,
    draft: &UnblockDraft,
) -> Result<(), ContactsError> {
    let email = valid(draft, (), |()| draft.email.value())?;
    let key = cx.ports.blocked_emails.key().await?;
    let digest = key.digest(cx.caller.company.id, email.identity());
    let at = cx.ports.environment.clock.now();
    Ok(cx.ports.erasures.unblock(cx.author(), digest, at).await?)
}
