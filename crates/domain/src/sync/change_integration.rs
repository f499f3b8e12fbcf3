//! Change an integration.

use super::{ChangeOutcome, Integration, IntegrationDraft, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::IntegrationId;

/// Changes an integration. Absent members are left unchanged. An unknown integration is reported before anything that
/// is wrong with the change.
pub async fn change_integration(
    cx: &Context<'_, SyncPorts>,
    id: IntegrationId,
    change: IntegrationDraft,
) -> Result<Integration, SyncError> {
    match cx
        .ports
        .sync
        .change_integration(cx.author(), id, change, cx.ports.environment.clock.now())
        .await?
    {
        ChangeOutcome::Changed(integration) => Ok(integration),
        ChangeOutcome::NotFound => Err(SyncError::IntegrationNotFound),
        ChangeOutcome::Refused(violations) => Err(SyncError::Invalid(violations)),
    }
}
