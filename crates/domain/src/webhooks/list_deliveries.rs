//! List deliveries.

use super::{DeliveriesQuery, Delivery, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::page::Page;

/// The requested page of the company's deliveries, the newest first.
pub async fn list_deliveries(
    cx: &Context<'_, WebhookPorts>,
    query: DeliveriesQuery,
) -> Result<Page<Delivery>, WebhooksError> {
    Ok(cx.ports.webhooks.list_deliveries(cx.caller.company.id, query).await?)
}
