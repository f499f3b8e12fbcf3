//! `GET /deliveries`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::webhooks;

use super::json::DeliveryJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let page = webhooks::list_deliveries(&caller.context(), request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(DeliveryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
