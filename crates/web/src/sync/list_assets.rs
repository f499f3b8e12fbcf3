//! `GET /assets`

use actix_web::HttpResponse;

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::AssetSummaryJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller};

pub(crate) async fn handle(
    caller: Caller,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = sync::list_assets(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(AssetSummaryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
