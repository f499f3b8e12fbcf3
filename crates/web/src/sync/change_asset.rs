//! Change an asset.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::{AssetJson, asset_draft};
use super::shapes::{ASSET, ASSET_CHANGE};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(PATCH, "/assets/{id}", handle)
        .operation("changeAsset", "Change an asset", Success::One(ASSET))
        .details(
            "What is absent stays. Null clears `preheader`, and has `text` made from the HTML \
             again. An email that becomes a landing page loses subject and preheader.",
        )
        .reads(ASSET_CHANGE)
}

async fn handle(caller: Caller, PathId(id): PathId<AssetId>, body: Body<ASSET_BODY>) -> Answer {
    let changed = caller.work(body.weight(), |caller| async move {
        let draft = asset_draft(&body.object()?);
        drop(body);
        Ok(sync::change_asset(&caller.context(), id, draft).await?)
    });
    let detail = changed.await?;
    Ok(envelope::ok(&AssetJson::from(&detail)))
}
