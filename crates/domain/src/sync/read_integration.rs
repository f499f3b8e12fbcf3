//! Read one integration.

use super::{Integration, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::IntegrationId;

/// The integration with this id.
pub async fn read_integration(
    cx: &Context<'_, SyncPorts>,
    id: IntegrationId,
) -> Result<Integration, SyncError> {
    let integration = cx.ports.sync.read_integration(cx.caller.company.id, id).await?;
    integration.ok_or(SyncError::IntegrationNotFound)
}
