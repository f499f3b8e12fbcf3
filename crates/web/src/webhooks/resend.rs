//! Deliver again.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks;

use super::json::DeliveryJson;
use super::shapes::DELIVERY;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    DELIVERIES
        .on(POST, "/deliveries/{id}/resend", handle)
        .operation("resendDelivery", "Deliver again", Success::Accepted(DELIVERY))
        .details(
            "Whatever its state: at once, under the same event id, with retries by the whole \
             schedule, and to a webhook that is off once. One that is in progress is tried \
             again only if the running attempt fails.",
        )
        .fails(&[Code::WebhookNotFound])
}

async fn handle(caller: Caller, PathId(id): PathId<DeliveryId>) -> Answer {
    let delivery = webhooks::resend(&caller.context(), id).await?;
    Ok(envelope::accepted(&DeliveryJson::from(&delivery)))
}
