//! `GET /assets/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncError};

use super::json::AssetJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(caller: Caller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = AssetId::parse(id.as_str()).ok_or(SyncError::AssetNotFound)?;
    let detail = sync::read_asset(&caller.context(), id).await?;
    Ok(envelope::ok(&AssetJson::from(&detail)))
}
