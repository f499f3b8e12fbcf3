//! Read one asset.

use super::{AssetDetail, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// The asset with this id and its latest syncs.
pub async fn read_asset(
    cx: &Context<'_, SyncPorts>,
    id: AssetId,
) -> Result<AssetDetail, SyncError> {
    let detail = cx.ports.sync.read_asset(cx.caller.company.id, id).await?;
    detail.ok_or(SyncError::AssetNotFound)
}
