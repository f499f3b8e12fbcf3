//! Change an asset.

use super::{AssetChange, AssetDetail, AssetDraft, ChangeOutcome, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// Changes an asset. Absent members are left unchanged. An unknown asset is reported before anything that is wrong with
/// the change.
pub async fn change_asset(
    cx: &Context<'_, SyncPorts>,
    id: AssetId,
    draft: AssetDraft,
) -> Result<AssetDetail, SyncError> {
    let change = AssetChange::new(draft);
    match cx
        .ports
        .sync
        .change_asset(cx.author(), id, change, cx.ports.environment.clock.now())
        .await?
    {
        ChangeOutcome::Changed(detail) => Ok(detail),
        ChangeOutcome::NotFound => Err(SyncError::AssetNotFound),
        ChangeOutcome::Refused(violations) => Err(SyncError::Invalid(violations)),
    }
}
