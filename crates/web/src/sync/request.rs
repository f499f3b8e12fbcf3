//! `POST /assets/{id}/syncs`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, SyncDraft};

use super::json::SyncJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, PathId, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let draft = SyncDraft { integration_id: body.object()?.input("integration_id") };
    let sync = sync::request(&caller.context(), id, &draft).await?;
    Ok(envelope::accepted(&SyncJson::from(&sync)))
}
