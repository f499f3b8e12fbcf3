//! Deliver an event again.

use super::{Delivery, ResendOutcome, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::DeliveryId;

/// Restarts a delivery in any state, and returns it.
///
/// The event keeps its id, so the receiver recognizes it. Retries follow the schedule from the beginning. A webhook
/// that is off gets one attempt. A delivery in progress is attempted again only if the running attempt fails.
pub async fn resend(
    cx: &Context<'_, WebhookPorts>,
    id: DeliveryId,
) -> Result<Delivery, WebhooksError> {
    let now = cx.ports.environment.clock.now();
    match cx.ports.webhooks.resend(cx.author(), id, now).await? {
        ResendOutcome::Accepted(delivery) => {
            cx.ports.signal.wake();
            Ok(delivery)
        }
        ResendOutcome::NotFound => Err(WebhooksError::DeliveryNotFound),
        ResendOutcome::WebhookGone => Err(WebhooksError::WebhookNotFound),
    }
}
