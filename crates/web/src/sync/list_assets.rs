//! `GET /assets`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::sync;

use super::json::AssetSummaryJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let page = sync::list_assets(&caller.context(), request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(AssetSummaryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
