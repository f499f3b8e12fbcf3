//! List the syncs of an asset.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync;

use super::json::SyncJson;
use super::shapes::SYNC;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(GET, "/assets/{id}/syncs", handle)
        .operation("listSyncs", "List the syncs of an asset", Success::Page(SYNC))
        .details("The newest first.")
}

async fn handle(
    caller: Caller,
    PathId(id): PathId<AssetId>,
    Asked(page): Asked<PageRequest>,
) -> Answer {
    let page = sync::list_syncs(&caller.context(), id, page).await?;
    let data: Vec<_> = page.items.iter().map(SyncJson::from).collect();
    Ok(envelope::page(&data, page.meta))
}
