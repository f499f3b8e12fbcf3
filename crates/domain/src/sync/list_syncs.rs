//! List the syncs of an asset.

use super::{AssetSync, SyncError};
use crate::context::Context;
use crate::ids::AssetId;
use crate::page::{Page, PageRequest};

/// The page of an asset's syncs that a request's query asks for, in its undecoded form, the newest first.
pub async fn list_syncs(
    cx: &Context<'_>,
    asset: AssetId,
    query: &str,
) -> Result<Page<AssetSync>, SyncError> {
    let page = PageRequest::parse(query)?;
    let syncs = cx.ports.sync.list_syncs(cx.caller.company.id, asset, page).await?;
    syncs.ok_or(SyncError::AssetNotFound)
}
