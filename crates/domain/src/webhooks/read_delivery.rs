//! Read a delivery with its attempts.

use super::{DeliveryDetail, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::DeliveryId;

/// The company's delivery with this id, its payload and its attempts.
pub async fn read_delivery(
    cx: &Context<'_, WebhookPorts>,
    id: DeliveryId,
) -> Result<DeliveryDetail, WebhooksError> {
    let detail = cx.ports.webhooks.read_delivery(cx.caller.company.id, id).await?;
    detail.ok_or(WebhooksError::DeliveryNotFound)
}
