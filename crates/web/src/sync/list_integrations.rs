//! `GET /integrations`

use actix_web::HttpResponse;

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::IntegrationJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = sync::list_integrations(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(IntegrationJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
