//! `GET /assets/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::AssetJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
) -> Result<HttpResponse, ApiError> {
    let detail = sync::read_asset(&caller.context(), id).await?;
    Ok(envelope::ok(&AssetJson::from(&detail)))
}
