//! Deliver many events again.

use super::{DeliverySearch, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::DeliveryId;

/// How many deliveries are resent at once.
pub const MAX_RESENT: usize = 1000;

/// Which deliveries a person wants to resend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResendChoice {
    /// These ones.
    These(Vec<DeliveryId>),
    /// Those that meet conditions.
    Matching(DeliverySearch),
}

/// The deliveries of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resendable {
    /// How many there are.
    pub found: u64,
    /// The newest of them whose webhooks were not deleted, among at most [`MAX_RESENT`].
    pub ids: Vec<DeliveryId>,
}

/// The deliveries of a choice that can be resent.
pub async fn resendable(
    cx: &Context<'_, WebhookPorts>,
    choice: ResendChoice,
) -> Result<Resendable, WebhooksError> {
    Ok(cx.ports.webhooks.resendable(cx.caller.company.id, choice).await?)
}

/// Restarts the first [`MAX_RESENT`] of these deliveries as [`resend`](super::resend()) does, and returns how many. Unknown
/// ones, and those whose webhooks were deleted, are left out.
pub async fn resend_many(
    cx: &Context<'_, WebhookPorts>,
    mut ids: Vec<DeliveryId>,
) -> Result<u64, WebhooksError> {
    ids.truncate(MAX_RESENT);
    let now = cx.ports.environment.clock.now();
    let resent = cx.ports.webhooks.resend_many(cx.author(), ids, now).await?;
    if resent > 0 {
        cx.ports.signal.wake();
    }
    Ok(resent)
}
