//! The effect of requesting a sync: the new sync, the superseded one, and the event.

use std::sync::Arc;

use serde_json::json;

use super::asset::{AssetName, AssetType};
use super::integration::Integration;
use super::links::Links;
use super::result::MapEntry;
use super::state::{AssetSync, Step, Stepped, SyncState};
use crate::ids::{AssetId, CompanyId, EventId, IntegrationId, SyncId, UserId};
use crate::ports::Ids;
use crate::time::Timestamp;
use crate::webhooks::{Event, EventKind};

/// A request for a sync, with all that is needed to write it.
#[derive(Clone)]
pub struct SyncRequest {
    /// The asset.
    pub asset: AssetId,
    /// The integration.
    pub integration: IntegrationId,
    /// The user who makes the request.
    pub user: UserId,
    /// The id of the new sync.
    pub sync_id: SyncId,
    /// The id of the event.
    pub event_id: EventId,
    /// Creates the ids of its deliveries, whose number only the store knows.
    pub ids: Arc<dyn Ids>,
    /// The moment of the request.
    pub at: Timestamp,
    /// Creates the addresses in the event.
    pub links: Links,
}

/// The asset in the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedAsset {
    /// Its name.
    pub name: AssetName,
    /// Its type.
    pub kind: AssetType,
}

/// The facts that a store reads in the transaction of the request.
#[derive(Clone, Debug)]
pub struct RequestFacts {
    /// The company.
    pub company: CompanyId,
    /// The asset.
    pub asset: Option<RequestedAsset>,
    /// The integration.
    pub integration: Option<Integration>,
    /// Whether the company has another integration of the same format.
    pub shares_format: bool,
    /// Whether an enabled webhook subscribes to the event.
    pub is_heard: bool,
    /// The latest sync of the asset to the integration.
    pub latest: Option<AssetSync>,
    /// The entry that the last completed sync reported.
    pub last_map: Option<MapEntry>,
    /// The email of the user who makes the request.
    pub requested_by: Option<String>,
}

/// Why a request is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestProblem {
    /// The company has no such asset.
    AssetNotFound,
    /// The company has no such integration.
    IntegrationNotFound,
    /// The integration does not accept the asset's type.
    AssetTypeNotSupported,
    /// No enabled webhook subscribes to the event.
    WebhookNotConfigured,
}

/// The effect of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedSync {
    /// The new sync.
    pub sync: AssetSync,
    /// The sync that was open before, now superseded.
    pub superseded: Option<AssetSync>,
    /// The event for receivers.
    pub event: Event,
}

/// Decides the effect of a request.
pub fn decide_request(
    facts: &RequestFacts,
    request: &SyncRequest,
) -> Result<RequestedSync, RequestProblem> {
    let asset = facts.asset.as_ref().ok_or(RequestProblem::AssetNotFound)?;
    let integration = facts.integration.as_ref().ok_or(RequestProblem::IntegrationNotFound)?;
    if !integration.asset_types.has(asset.kind) {
        return Err(RequestProblem::AssetTypeNotSupported);
    }
    if !facts.is_heard {
        return Err(RequestProblem::WebhookNotConfigured);
    }
    // The latest sync of a pair is the last requested one, even if the clocks of two instances differ.
    let requested_at = match &facts.latest {
        Some(latest) => request.at.after(latest.requested_at),
        None => request.at,
    };
    let sync = AssetSync {
        id: request.sync_id,
        asset_id: request.asset,
        integration_id: request.integration,
        requested_by: facts.requested_by.clone(),
        requested_at,
        state: SyncState::Requested,
    };
    let superseded = facts.latest.as_ref().map(|it| it.after(&Step::Supersede, requested_at));
    let superseded = match superseded {
        Some(Stepped::Moved(superseded)) => Some(superseded),
        Some(Stepped::Unchanged | Stepped::Refused) | None => None,
    };
    let event = Event {
        id: request.event_id,
        company: facts.company,
        kind: EventKind::SyncRequested,
        sync_id: Some(sync.id),
        payload: payload(facts, asset, integration, &sync, request),
        created_at: requested_at,
    };
    Ok(RequestedSync { sync, superseded, event })
}

/// The payload of the event, as flat JSON.
fn payload(
    facts: &RequestFacts,
    asset: &RequestedAsset,
    integration: &Integration,
    sync: &AssetSync,
    request: &SyncRequest,
) -> String {
    let map = facts.last_map.as_ref();
    let named = facts.shares_format.then_some(integration.id);
    json!({
        "id": request.event_id.to_string(),
        "event": EventKind::SyncRequested.as_str(),
        "created_at": sync.requested_at.to_seconds_text(),
        "content_link": request.links.content(request.asset, integration.format, named),
        "sync_status_link": request.links.sync_status(request.asset),
        "sync_id": sync.id.to_string(),
        "sync_type": if map.is_some() { "resync" } else { "sync" },
        "asset_id": request.asset.to_string(),
        "asset_name": asset.name.as_str(),
        "asset_type": asset.kind.as_str(),
        "integration_id": integration.id.to_string(),
        "integration_name": integration.name.as_str(),
        "platform": integration.format.as_str(),
        "map_id": map.map(|map| map.id.as_str()),
        "map_url": map.map(|map| map.url.as_str()),
        "requested_by": sync.requested_by,
    })
    .to_string()
}

#[cfg(test)]
#[path = "requesting_tests.rs"]
mod tests;
