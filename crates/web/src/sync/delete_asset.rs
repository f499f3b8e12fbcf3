//! `DELETE /assets/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
) -> Result<HttpResponse, ApiError> {
    sync::delete_asset(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
