//! Read a webhook.

use super::{Webhook, WebhooksError};
use crate::context::Context;
use crate::ids::WebhookId;

/// The company's webhook with this id.
pub async fn read(cx: &Context<'_>, id: WebhookId) -> Result<Webhook, WebhooksError> {
    let webhook = cx.ports.webhooks.read(cx.caller.company.id, id, cx.ports.clock.now()).await?;
    webhook.ok_or(WebhooksError::WebhookNotFound)
}
