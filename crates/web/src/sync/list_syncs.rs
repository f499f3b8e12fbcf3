//! `GET /assets/{id}/syncs`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::SyncJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let page = sync::list_syncs(&caller.context(), id, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(SyncJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
