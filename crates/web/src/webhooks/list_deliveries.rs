//! List deliveries.

use contact_hub_domain::webhooks::{self, DeliveriesQuery};

use super::json::DeliveryJson;
use super::shapes::DELIVERY;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    DELIVERIES
        .on(GET, "/deliveries", handle)
        .operation("listDeliveries", "List deliveries", Success::Page(DELIVERY))
        .details("The newest first.")
}

async fn handle(caller: Caller, Asked(query): Asked<DeliveriesQuery>) -> Answer {
    let page = webhooks::list_deliveries(&caller.context(), query).await?;
    let data: Vec<_> = page.items.iter().map(DeliveryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
