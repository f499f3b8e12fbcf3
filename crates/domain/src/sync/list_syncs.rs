//! List the syncs of an asset.

use super::{AssetSync, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;
use crate::page::{Page, PageRequest};

/// A page of an asset's syncs, the newest first.
pub async fn list_syncs(
    cx: &Context<'_, SyncPorts>,
    asset: AssetId,
    page: PageRequest,
) -> Result<Page<AssetSync>, SyncError> {
    let syncs = cx.ports.sync.list_syncs(cx.caller.company.id, asset, page).await?;
    syncs.ok_or(SyncError::AssetNotFound)
}
