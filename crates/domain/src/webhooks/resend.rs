//! Deliver again what was delivered, or was not.

use super::{Delivery, ResendOutcome, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::DeliveryId;

/// Sets the company's delivery going again, whatever its state, and tells how it stands now.
///
/// The event keeps its id, so a receiver that had it knows it again. Retries follow the schedule from its beginning. To a
/// webhook that is off one attempt is made. A delivery in progress is tried again only if the running attempt fails.
pub async fn resend(
    cx: &Context<'_, WebhookPorts>,
    id: DeliveryId,
) -> Result<Delivery, WebhooksError> {
    let now = cx.ports.environment.clock.now();
    match cx.ports.webhooks.resend(cx.caller.company.id, id, now).await? {
        ResendOutcome::Accepted(delivery) => {
            cx.ports.signal.wake();
            Ok(delivery)
        }
        ResendOutcome::NotFound => Err(WebhooksError::DeliveryNotFound),
        ResendOutcome::WebhookGone => Err(WebhooksError::WebhookNotFound),
    }
}
