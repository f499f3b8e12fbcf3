//! Read one delivery with its attempts.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks;

use super::json::DeliveryDetailJson;
use super::shapes::DELIVERY_DETAIL;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    DELIVERIES
        .on(GET, "/deliveries/{id}", handle)
        .operation(
            "readDelivery",
            "Read one delivery with its attempts",
            Success::One(DELIVERY_DETAIL),
        )
        .details("The delivery with its payload and every attempt.")
}

async fn handle(caller: Caller, PathId(id): PathId<DeliveryId>) -> Answer {
    let detail = webhooks::read_delivery(&caller.context(), id).await?;
    Ok(envelope::ok(&DeliveryDetailJson::from(&detail)))
}
