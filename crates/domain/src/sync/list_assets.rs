//! List assets.

use super::{AssetSummary, SyncError};
use crate::context::{Context, SyncPorts};
use crate::page::{Page, PageRequest};

/// A page of the company's assets, the oldest first.
pub async fn list_assets(
    cx: &Context<'_, SyncPorts>,
    page: PageRequest,
) -> Result<Page<AssetSummary>, SyncError> {
    Ok(cx.ports.sync.list_assets(cx.caller.company.id, page).await?)
}
