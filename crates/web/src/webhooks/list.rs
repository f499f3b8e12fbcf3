//! `GET /webhooks`

use actix_web::HttpResponse;

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks;

use super::json::WebhookJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = webhooks::list(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(WebhookJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
