//! List assets.

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::AssetSummaryJson;
use super::shapes::ASSET_SUMMARY;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(GET, "/assets", handle)
        .operation("listAssets", "List assets", Success::Page(ASSET_SUMMARY))
        .details("In the order of their creation, without their HTML and text.")
}

async fn handle(caller: Caller, Asked(page): Asked<PageRequest>) -> Answer {
    let page = sync::list_assets(&caller.context(), page).await?;
    let data: Vec<_> = page.items.iter().map(AssetSummaryJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
