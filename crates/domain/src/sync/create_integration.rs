//! Create an integration.

use super::{Integration, IntegrationDraft, SyncError};
use crate::context::Context;
use crate::ids::IntegrationId;

/// Creates an integration.
pub async fn create_integration(
    cx: &Context<'_>,
    draft: &IntegrationDraft,
) -> Result<Integration, SyncError> {
    let integration = draft.judge(IntegrationId::new(cx.ports.ids.next()), cx.ports.clock.now())?;
    cx.ports.sync.create_integration(cx.caller.company.id, integration.clone()).await?;
    Ok(integration)
}
