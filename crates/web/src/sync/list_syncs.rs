//! `GET /assets/{id}/syncs`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncError};

use super::json::SyncJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = AssetId::parse(id.as_str()).ok_or(SyncError::AssetNotFound)?;
    let page = sync::list_syncs(&caller.context(), id, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(SyncJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
