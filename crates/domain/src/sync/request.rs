//! Request a sync of an asset to an integration.

use std::sync::Arc;

use super::{AssetSync, SyncError, SyncRequest};
use crate::context::{Context, SyncPorts};
use crate::ids::{AssetId, EventId, IntegrationId, SyncId};
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{required, valid};
use crate::text;
use crate::violations::Problem;

/// The input for a sync.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct SyncDraft {
    /// Required: the integration.
    #[garde(custom(required))]
    pub integration_id: Property<Target>,
}

/// Requests a sync. Subscribed webhooks get the event, and an open sync to the same integration is superseded.
///
/// Errors have this precedence: an invalid request, an unknown asset, an unknown integration, a type that the
/// integration does not accept, no subscribed webhook.
pub async fn request(
    cx: &Context<'_, SyncPorts>,
    asset: AssetId,
    draft: &SyncDraft,
) -> Result<AssetSync, SyncError> {
    let Target(integration) = valid(draft, (), |()| draft.integration_id.value())?;
    let request = SyncRequest {
        asset,
        integration,
        user: cx.caller.user_id,
        sync_id: SyncId::new(cx.ports.environment.ids.next()),
        event_id: EventId::new(cx.ports.environment.ids.next()),
        ids: Arc::clone(&cx.ports.environment.ids),
        at: cx.ports.environment.clock.now(),
        links: cx.ports.links.clone(),
    };
    let requested = cx.ports.sync.request(cx.author(), request).await??;
    cx.ports.signal.wake();
    Ok(requested.sync)
}

/// An id. A malformed one counts as that of an unknown integration, for which the nil id is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(IntegrationId);

impl FromText for Target {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let id = IntegrationId::parse(text::without_nul(text::trimmed(text))?);
        Ok(Self(id.unwrap_or(IntegrationId::new(uuid::Uuid::nil()))))
    }
}
