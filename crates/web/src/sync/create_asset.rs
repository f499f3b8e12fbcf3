//! Create an asset.

use contact_hub_domain::sync;

use super::json::{AssetJson, asset_draft};
use super::shapes::{ASSET, ASSET_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(POST, "/assets", handle)
        .operation("createAsset", "Create an asset", Success::Created(ASSET))
        .details(
            "The plain text is made from the HTML when none is given, and then changes with \
             it.",
        )
        .reads(ASSET_INPUT)
}

async fn handle(caller: Caller, body: Body<ASSET_BODY>) -> Answer {
    let made = caller.work(body.weight(), |caller| async move {
        let draft = asset_draft(&body.object()?);
        drop(body);
        Ok(sync::create_asset(&caller.context(), &draft).await?)
    });
    let detail = made.await?;
    let location = caller.manage_url(&format!("/assets/{}", detail.asset.id));
    Ok(envelope::created(&AssetJson::from(&detail), &location))
}
