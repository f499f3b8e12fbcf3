//! Read one asset.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use super::json::AssetJson;
use super::shapes::ASSET;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(GET, "/assets/{id}", handle)
        .operation("readAsset", "Read one asset", Success::One(ASSET))
        .details("The asset, and its latest sync for each integration.")
}

async fn handle(caller: Caller, PathId(id): PathId<AssetId>) -> Answer {
    let detail = sync::read_asset(&caller.context(), id).await?;
    Ok(envelope::ok(&AssetJson::from(&detail)))
}
