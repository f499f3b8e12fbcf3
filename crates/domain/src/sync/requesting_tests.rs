//! Tests of requests for syncs: their errors, effects and events.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{RequestFacts, RequestProblem, RequestedAsset, SyncRequest, decide_request};
use crate::ids::{AssetId, CompanyId, EventId, IntegrationId, SyncId, UserId};
use crate::input::FromText;
use crate::ports::MockIds;
use crate::sync::{
    AssetName, AssetSync, AssetType, IntegrationDraft, Links, MapEntry, MapId, MapUrl, SyncState,
};
use crate::time::Timestamp;
use crate::webhooks::EventKind;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("in range")
}

fn request() -> SyncRequest {
    SyncRequest {
        asset: AssetId::new(Uuid::from_u128(1)),
        integration: IntegrationId::new(Uuid::from_u128(2)),
        user: UserId::new(Uuid::from_u128(3)),
        sync_id: SyncId::new(Uuid::from_u128(4)),
        event_id: EventId::new(Uuid::from_u128(5)),
        ids: Arc::new(MockIds::new()),
        at: at(0),
        links: Links::new("https://hub.example/base"),
    }
}

fn facts() -> RequestFacts {
    let draft = IntegrationDraft {
        name: "Ours \"x\"".into(),
        asset_types: ["email".into()].into_iter().collect(),
        merge_tag_format: "braze".into(),
        ..IntegrationDraft::default()
    };
    RequestFacts {
        company: CompanyId::new(Uuid::from_u128(6)),
        asset: Some(RequestedAsset {
            name: AssetName::from_text("Spring").expect("a name"),
            kind: AssetType::Email,
        }),
        integration: Some(draft.validate(request().integration, at(0)).expect("valid")),
        shares_format: false,
        is_heard: true,
        latest: None,
        last_map: None,
        requested_by: Some("ann@example.com".to_owned()),
    }
}

fn latest(state: SyncState) -> AssetSync {
    AssetSync {
        id: SyncId::new(Uuid::from_u128(7)),
        asset_id: request().asset,
        integration_id: request().integration,
        requested_by: None,
        requested_at: at(9),
        state,
    }
}

#[test]
fn errors_are_reported_in_order() {
    let page = |facts: RequestFacts| {
        let asset =
            facts.asset.map(|asset| RequestedAsset { kind: AssetType::LandingPage, ..asset });
        RequestFacts { asset, ..facts }
    };
    let deaf = RequestFacts { is_heard: false, ..facts() };
    let foreign = page(deaf.clone());
    let homeless = RequestFacts { integration: None, ..foreign.clone() };
    let empty = RequestFacts { asset: None, ..homeless.clone() };
    for (facts, problem) in [
        (empty, RequestProblem::AssetNotFound),
        (homeless, RequestProblem::IntegrationNotFound),
        (foreign, RequestProblem::AssetTypeNotSupported),
        (deaf, RequestProblem::WebhookNotConfigured),
    ] {
        assert_eq!(decide_request(&facts, &request()), Err(problem));
    }
}

#[test]
fn an_open_sync_is_superseded_and_a_closed_one_is_unchanged() {
    let open = RequestFacts { latest: Some(latest(SyncState::Requested)), ..facts() };
    let requested = decide_request(&open, &request()).expect("accepted");
    assert_eq!(requested.superseded, Some(latest(SyncState::Superseded)));
    assert_eq!(requested.sync.requested_at, at(10));
    assert!(requested.sync.is_open());
    let closed = RequestFacts { latest: Some(latest(SyncState::Withdrawn)), ..facts() };
    assert_eq!(decide_request(&closed, &request()).expect("accepted").superseded, None);
}

#[test]
fn the_event_is_complete_and_flat() {
    let requested = decide_request(&facts(), &request()).expect("accepted");
    let event = &requested.event;
    assert_eq!((event.kind, event.sync_id), (EventKind::SyncRequested, Some(request().sync_id)));
    let id = |n: u128| Uuid::from_u128(n).to_string();
    let payload: Value = serde_json::from_str(&event.payload).expect("JSON");
    let expected = json!({
        "id": id(5),
        "event": "syncRequested",
        "created_at": "1970-01-01T00:00:00+00:00",
        "content_link": format!("https://hub.example/base/api/published/v1/assets/{}/content?platform=braze", id(1)),
        "sync_status_link": format!("https://hub.example/base/api/published/v1/sync-status/{}", id(1)),
        "sync_id": id(4),
        "sync_type": "sync",
        "asset_id": id(1),
        "asset_name": "Spring",
        "asset_type": "email",
        "integration_id": id(2),
        "integration_name": "Ours \"x\"",
        "platform": "braze",
        "map_id": null,
        "map_url": null,
        "requested_by": "ann@example.com",
    });
    assert_eq!(payload, expected);
    assert!(payload.as_object().expect("an object").values().all(|it| !it.is_object()));
}

#[test]
fn after_a_completed_sync_it_is_a_resync_of_its_entry() {
    let map = MapEntry {
        id: MapId::from_text("77").expect("an id"),
        url: MapUrl::from_text("https://a.example/77").expect("a URL"),
    };
    let again = RequestFacts { last_map: Some(map), shares_format: true, ..facts() };
    let requested = decide_request(&again, &request()).expect("accepted");
    let payload: Value = serde_json::from_str(&requested.event.payload).expect("JSON");
    let shown = ["sync_type", "map_id", "map_url"].map(|name| payload[name].as_str());
    assert_eq!(shown, [Some("resync"), Some("77"), Some("https://a.example/77")]);
    let link = payload["content_link"].as_str().expect("a link");
    let query: BTreeSet<&str> = link.split_once('?').expect("a query").1.split('&').collect();
    let named = format!("integration_id={}", request().integration);
    assert_eq!(query, BTreeSet::from(["platform=braze", named.as_str()]));
}
