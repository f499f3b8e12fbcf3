//! Ask for a sync of an asset to an integration.

use std::sync::Arc;

use super::{AssetSync, SyncError, SyncRequest};
use crate::context::Context;
use crate::ids::{AssetId, EventId, IntegrationId, SyncId};
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{required, valid};
use crate::text;
use crate::violations::Problem;

/// What a request gave for a sync.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct SyncDraft {
    /// Required: where to.
    #[garde(custom(required))]
    pub integration_id: Property<Target>,
}

/// Asks for a sync: whoever subscribes is told, and an open sync to the same integration is superseded.
///
/// Problems come in this order: an invalid request, an unknown asset, an unknown integration, a type that the
/// integration does not take, nobody who would hear of it.
pub async fn request(
    cx: &Context<'_>,
    asset: AssetId,
    draft: &SyncDraft,
) -> Result<AssetSync, SyncError> {
    let Target(integration) = valid(draft, (), |()| draft.integration_id.value())?;
    let request = SyncRequest {
        asset,
        integration,
        user: cx.caller.user_id,
        sync_id: SyncId::new(cx.ports.ids.next()),
        event_id: EventId::new(cx.ports.ids.next()),
        ids: Arc::clone(&cx.ports.ids),
        at: cx.ports.clock.now(),
        links: cx.ports.links.clone(),
    };
    let requested = cx.ports.sync.request(cx.caller.company.id, request).await??;
    cx.ports.signal.wake();
    Ok(requested.sync)
}

/// An id; any other text is that of an unknown integration, as the nil id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(IntegrationId);

impl FromText for Target {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let id = IntegrationId::parse(text::trimmed(text));
        Ok(Self(id.unwrap_or(IntegrationId::new(uuid::Uuid::nil()))))
    }
}
