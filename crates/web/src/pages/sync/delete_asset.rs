//! `POST /assets/{id}/delete`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<AssetId>,
) -> Result<HttpResponse, ApiError> {
    sync::delete_asset(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/assets", Notice::AssetDeleted))
}
