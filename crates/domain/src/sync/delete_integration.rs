//! Delete an integration.

use super::SyncError;
use crate::context::{Context, SyncPorts};
use crate::ids::IntegrationId;

/// Deletes an integration. Its open syncs are withdrawn, and deliveries about them are cancelled.
pub async fn delete_integration(
    cx: &Context<'_, SyncPorts>,
    id: IntegrationId,
) -> Result<(), SyncError> {
    let deleted =
        cx.ports.sync.delete_integration(cx.author(), id, cx.ports.environment.clock.now()).await?;
    if deleted { Ok(()) } else { Err(SyncError::IntegrationNotFound) }
}
