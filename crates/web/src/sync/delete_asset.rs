//! Delete an asset.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    ASSETS
        .on(DELETE, "/assets/{id}", handle)
        .operation("deleteAsset", "Delete an asset", Success::Nothing)
        .details("Its syncs go with it, and deliveries that tell of the open ones are cancelled.")
}

async fn handle(caller: Caller, PathId(id): PathId<AssetId>) -> Answer {
    sync::delete_asset(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
