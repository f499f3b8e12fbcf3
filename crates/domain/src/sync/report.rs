//! Report the result of a sync.

use super::{AssetSync, ReportDecision, ReportDraft, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// Reports the result of a sync of an asset: the named one, otherwise the open one. Repeating a report changes nothing.
pub async fn report(
    cx: &Context<'_, SyncPorts>,
    asset: AssetId,
    draft: &ReportDraft,
) -> Result<AssetSync, SyncError> {
    let (report, reported) = draft.validate()?;
    let now = cx.ports.environment.clock.now();
    match cx.ports.sync.report(cx.author(), asset, reported, report, now).await? {
        None => Err(SyncError::AssetNotFound),
        Some(ReportDecision::Record(sync) | ReportDecision::Known(sync)) => Ok(sync),
        Some(ReportDecision::NotRequested(open)) => Err(SyncError::NotRequested(open)),
        Some(ReportDecision::Ambiguous(open)) => Err(SyncError::Ambiguous(open)),
    }
}
