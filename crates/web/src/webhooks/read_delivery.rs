//! `GET /deliveries/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks;

use super::json::DeliveryDetailJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<DeliveryId>,
) -> Result<HttpResponse, ApiError> {
    let detail = webhooks::read_delivery(&caller.context(), id).await?;
    Ok(envelope::ok(&DeliveryDetailJson::from(&detail)))
}
