//! List integrations.

use super::{Integration, IntegrationChoice, SyncError};
use crate::context::{Context, SyncPorts};
use crate::page::{Page, PageRequest};

/// A page of the company's integrations, the oldest first.
pub async fn list_integrations(
    cx: &Context<'_, SyncPorts>,
    page: PageRequest,
) -> Result<Page<Integration>, SyncError> {
    Ok(cx.ports.sync.list_integrations(cx.caller.company.id, page).await?)
}

/// All of the company's integrations, for choosers, the oldest first.
pub async fn integration_choices(
    cx: &Context<'_, SyncPorts>,
) -> Result<Vec<IntegrationChoice>, SyncError> {
    Ok(cx.ports.sync.integration_choices(cx.caller.company.id).await?)
}
