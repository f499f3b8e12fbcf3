//! Delete an asset.

use super::SyncError;
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// Deletes an asset with its syncs. Deliveries about open syncs are cancelled.
pub async fn delete_asset(cx: &Context<'_, SyncPorts>, id: AssetId) -> Result<(), SyncError> {
    let deleted =
        cx.ports.sync.delete_asset(cx.author(), id, cx.ports.environment.clock.now()).await?;
    if deleted { Ok(()) } else { Err(SyncError::AssetNotFound) }
}
