//! `POST /deliveries/{id}/resend`

use actix_web::HttpResponse;

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks::{self, WebhooksError};

use super::json::DeliveryJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = DeliveryId::parse(id.as_str()).ok_or(WebhooksError::DeliveryNotFound)?;
    let delivery = webhooks::resend(&caller.context(), id).await?;
    Ok(envelope::accepted(&DeliveryJson::from(&delivery)))
}
