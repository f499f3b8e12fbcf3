//! Delete a webhook.

use super::WebhooksError;
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;

/// Deletes a webhook with its secrets. Its open deliveries are cancelled.
pub async fn delete(cx: &Context<'_, WebhookPorts>, id: WebhookId) -> Result<(), WebhooksError> {
    let now = cx.ports.environment.clock.now();
    if cx.ports.webhooks.delete(cx.author(), id, now).await? {
        Ok(())
    } else {
        Err(WebhooksError::WebhookNotFound)
    }
}
