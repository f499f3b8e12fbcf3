//! `GET /assets/{id}/syncs`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::SyncJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    Asked(page): Asked<PageRequest>,
) -> Result<HttpResponse, ApiError> {
    let page = sync::list_syncs(&caller.context(), id, page).await?;
    let data: Vec<_> = page.items.iter().map(SyncJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
