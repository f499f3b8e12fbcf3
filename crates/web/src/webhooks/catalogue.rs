//! The kinds of events, for the OpenAPI document and for people.

use serde_json::{Value, json};

use contact_hub_domain::alerts::AlertKind;
use contact_hub_domain::webhooks::EventKind;

const EVENT_ID: &str = "01931e3a-7c00-7000-8000-0000000000f1";
const AT: &str = "2026-11-20T09:30:00+00:00";

/// When an event of this kind is sent.
pub(crate) const fn summary(kind: EventKind) -> &'static str {
    match kind {
        EventKind::SyncRequested => "A user asked for an asset to be synced",
        EventKind::ContactsChanged => {
            "Contacts were created, changed, deleted, restored or erased; up to 100 changes in one event"
        }
        EventKind::FieldsChanged => {
            "Fields were created or changed; up to 100 changes in one event"
        }
        EventKind::SyncsChanged => {
            "Syncs were requested, completed or failed; up to 100 changes in one event"
        }
        EventKind::AlertRaised => {
            "A webhook fails, an import has ended or a key expires soon, as users choose under Alerts"
        }
        EventKind::Test => "Someone tried the webhook out; never tried again",
    }
}

/// A payload of this kind.
pub(crate) fn example(kind: EventKind) -> Value {
    match kind {
        EventKind::SyncRequested => requested(),
        EventKind::ContactsChanged => {
            let names = &["last_name", "field:jobTitle"][..];
            changed(
                kind,
                &[("contact.created", &["email", "first_name"]), ("contact.updated", names)],
            )
        }
        EventKind::FieldsChanged => changed(kind, &[("field.updated", &["name"])]),
        EventKind::SyncsChanged => {
            changed(kind, &[("sync.completed", &["status", "map_id", "map_url"])])
        }
        EventKind::AlertRaised => json!({
            "id": EVENT_ID,
            "event": kind.as_str(),
            "created_at": AT,
            "alert": AlertKind::WebhookOff.as_str(),
            "object_id": "01931e3a-7c00-7000-8000-0000000000d1",
            "name": "CRM",
            "detail": "Its receiver answered 410 Gone.",
            "at": AT,
        }),
        EventKind::Test => {
            let webhook = "01931e3a-7c00-7000-8000-0000000000d1";
            json!({"id": EVENT_ID, "event": kind.as_str(), "created_at": AT, "webhook_id": webhook})
        }
    }
}

fn requested() -> Value {
    let asset = "01931e3a-7c00-7000-8000-0000000000a1";
    let base = "https://hub.example/api/published/v1";
    json!({
        "id": EVENT_ID,
        "event": EventKind::SyncRequested.as_str(),
        "created_at": AT,
        "content_link": format!("{base}/assets/{asset}/content?platform=braze"),
        "sync_status_link": format!("{base}/sync-status/{asset}"),
        "sync_id": "01931e3a-7c00-7000-8000-0000000000c1",
        "sync_type": "sync",
        "asset_id": asset,
        "asset_name": "Spring sale",
        "asset_type": "email",
        "integration_id": "01931e3a-7c00-7000-8000-0000000000b1",
        "integration_name": "Our Braze",
        "platform": "braze",
        "map_id": null,
        "map_url": null,
        "requested_by": "ann@example.com",
    })
}

/// An event with these changes of one object.
fn changed(kind: EventKind, changes: &[(&str, &[&str])]) -> Value {
    let ids = ["AAAAAAAAAAcAAAAAyfUafw", "AAAAAAAAAAgAAAAAS6WNrg"];
    let entry = |((change, names), id): (&(&str, &[&str]), &str)| {
        json!({
            "id": id,
            "type": change,
            "at": AT,
            "object_id": "01931e3a-7c00-7000-8000-0000000000ab",
            "changed": names,
            "actor": "01931e3a-7c00-7000-8000-0000000000d1",
            "request_id": "01931e3a-7c00-7000-8000-0000000000e1",
        })
    };
    let entries: Vec<Value> = changes.iter().zip(ids).map(entry).collect();
    json!({"id": EVENT_ID, "event": kind.as_str(), "created_at": AT, "changes": entries})
}
