//! List webhooks.

use super::{Webhook, WebhookName, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;
use crate::page::{Page, PageRequest};

/// A page of the company's webhooks, the oldest first.
pub async fn list(
    cx: &Context<'_, WebhookPorts>,
    page: PageRequest,
) -> Result<Page<Webhook>, WebhooksError> {
    let now = cx.ports.environment.clock.now();
    Ok(cx.ports.webhooks.list(cx.caller.company.id, page, now).await?)
}

/// The names of all of the company's webhooks, the oldest first.
pub async fn names(
    cx: &Context<'_, WebhookPorts>,
) -> Result<Vec<(WebhookId, WebhookName)>, WebhooksError> {
    Ok(cx.ports.webhooks.names(cx.caller.company.id).await?)
}
