//! Create an asset.

use super::{AssetDetail, AssetDraft, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// Creates an asset. Its plain text is derived from the HTML if absent.
pub async fn create_asset(
    cx: &Context<'_, SyncPorts>,
    draft: &AssetDraft,
) -> Result<AssetDetail, SyncError> {
    let asset = draft.validate(
        AssetId::new(cx.ports.environment.ids.next()),
        cx.ports.environment.clock.now(),
    )?;
    cx.ports.sync.create_asset(cx.author(), asset.clone()).await?;
    Ok(AssetDetail { asset, latest_syncs: Vec::new(), sync_status: None })
}
