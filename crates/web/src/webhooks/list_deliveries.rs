//! `GET /deliveries`

use actix_web::HttpResponse;

use contact_hub_domain::webhooks::{self, DeliveriesQuery};

use super::json::DeliveryJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(query): Asked<DeliveriesQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = webhooks::list_deliveries(&caller.context(), query).await?;
    let data: Vec<_> = page.items.iter().map(DeliveryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
