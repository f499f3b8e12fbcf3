//! List integrations.

use super::{Integration, SyncError};
use crate::context::Context;
use crate::page::{Page, PageRequest};

/// The page of integrations that a request's query asks for, in its undecoded form, the oldest first.
pub async fn list_integrations(
    cx: &Context<'_>,
    query: &str,
) -> Result<Page<Integration>, SyncError> {
    let page = PageRequest::parse(query)?;
    Ok(cx.ports.sync.list_integrations(cx.caller.company.id, page).await?)
}
