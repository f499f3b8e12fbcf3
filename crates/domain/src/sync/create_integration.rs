//! Create an integration.

use super::{Integration, IntegrationDraft, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::IntegrationId;
use crate::limits::exceeded;

/// Creates an integration.
///
/// Rejected when the company has as many integrations as [`Limits`](crate::limits::Limits) allow.
pub async fn create_integration(
    cx: &Context<'_, SyncPorts>,
    draft: &IntegrationDraft,
) -> Result<Integration, SyncError> {
    let integration = draft.validate(
        IntegrationId::new(cx.ports.environment.ids.next()),
        cx.ports.environment.clock.now(),
    )?;
    let max = cx.ports.environment.limits.integrations;
    if cx.ports.sync.create_integration(cx.author(), integration.clone(), max).await? {
        Ok(integration)
    } else {
        Err(SyncError::Invalid(exceeded("name", "a company", max, "integration")))
    }
}
