//! `POST /assets/{id}/delete`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncError};

use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = AssetId::parse(id.as_str()).ok_or(SyncError::AssetNotFound)?;
    sync::delete_asset(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/assets", Notice::AssetDeleted))
}
