//! `PATCH /assets/{id}`

use actix_web::HttpResponse;

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::{AssetJson, asset_draft};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{ASSET_BODY, Body, Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    body: Body<ASSET_BODY>,
) -> Result<HttpResponse, ApiError> {
    let changed = caller.work(body.weight(), |caller| async move {
        let draft = asset_draft(&body.object()?);
        drop(body);
        Ok(sync::change_asset(&caller.context(), id, draft).await?)
    });
    let detail = changed.await?;
    Ok(envelope::ok(&AssetJson::from(&detail)))
}
