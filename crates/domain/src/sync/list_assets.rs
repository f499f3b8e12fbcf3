//! List assets.

use super::{AssetSummary, SyncError};
use crate::context::Context;
use crate::page::{Page, PageRequest};

/// The page of assets that a request's query asks for, in its undecoded form, the oldest first.
pub async fn list_assets(cx: &Context<'_>, query: &str) -> Result<Page<AssetSummary>, SyncError> {
    let page = PageRequest::parse(query)?;
    Ok(cx.ports.sync.list_assets(cx.caller.company.id, page).await?)
}
