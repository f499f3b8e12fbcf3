//! What asking for a sync does: the new sync, the one that it supersedes, and the event that tells of it.

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

/// A request for a sync, with what it takes to write it.
#[derive(Clone)]
pub struct SyncRequest {
    /// What to sync.
    pub asset: AssetId,
    /// Where to.
    pub integration: IntegrationId,
    /// Who asks.
    pub user: UserId,
    /// The id of the new sync.
    pub sync_id: SyncId,
    /// The id of the event.
    pub event_id: EventId,
    /// Makes the ids of its deliveries, whose number a store alone knows.
    pub ids: Arc<dyn Ids>,
    /// The moment of the request.
    pub at: Timestamp,
    /// The addresses that the event names.
    pub links: Links,
}

/// What the event tells of the asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedAsset {
    /// Its name.
    pub name: AssetName,
    /// Its type.
    pub kind: AssetType,
}

/// What a store knows, in the transaction that writes the request.
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
    /// The entry that the last completed one of them reported.
    pub last_map: Option<MapEntry>,
    /// The email of who asks.
    pub requested_by: Option<String>,
}

/// Why a sync cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestProblem {
    /// The company has no such asset.
    AssetNotFound,
    /// The company has no such integration.
    IntegrationNotFound,
    /// The integration does not take the asset's type.
    AssetTypeNotSupported,
    /// Nobody would hear of it.
    WebhookNotConfigured,
}

/// What asking for a sync does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedSync {
    /// The new sync.
    pub sync: AssetSync,
    /// The open sync of before, as it is from now on.
    pub superseded: Option<AssetSync>,
    /// What receivers are told.
    pub event: Event,
}

/// Decides what a request does.
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
    // The latest of a pair is the last to be asked for, also where the clocks of two instances differ.
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

/// What receivers are told, as flat JSON.
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
