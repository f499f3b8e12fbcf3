//! Read a webhook.

use super::{Webhook, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;

/// The company's webhook with this id.
pub async fn read(cx: &Context<'_, WebhookPorts>, id: WebhookId) -> Result<Webhook, WebhooksError> {
    let webhook =
        cx.ports.webhooks.read(cx.caller.company.id, id, cx.ports.environment.clock.now()).await?;
    webhook.ok_or(WebhooksError::WebhookNotFound)
}
