//! Report the result of a sync.

use super::{AssetSync, ReportDecision, ReportDraft, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// A sync whose result is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedSync {
    /// The sync.
    pub sync: AssetSync,
    /// Whether this report closed it, rather than repeat the result.
    pub is_new: bool,
}

/// Reports the result of a sync of an asset: the named one, otherwise the open one. Repeating a report changes nothing.
pub async fn report(
    cx: &Context<'_, SyncPorts>,
    asset: AssetId,
    draft: &ReportDraft,
) -> Result<ReportedSync, SyncError> {
    let (report, reported) = draft.validate()?;
    let now = cx.ports.environment.clock.now();
    match cx.ports.sync.report(cx.author(), asset, reported, report, now).await? {
        None => Err(SyncError::AssetNotFound),
        Some(ReportDecision::Record(sync)) => Ok(ReportedSync { sync, is_new: true }),
        Some(ReportDecision::Known(sync)) => Ok(ReportedSync { sync, is_new: false }),
        Some(ReportDecision::NotRequested(open)) => Err(SyncError::NotRequested(open)),
        Some(ReportDecision::Ambiguous(open)) => Err(SyncError::Ambiguous(open)),
    }
}
