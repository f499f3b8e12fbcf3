//! Examples for assets, integrations and syncs.

use serde_json::{Value, json};

const ASSET_ID: &str = "01931e3a-7c00-7000-8000-0000000000a1";
const INTEGRATION_ID: &str = "01931e3a-7c00-7000-8000-0000000000b1";
const SYNC_ID: &str = "01931e3a-7c00-7000-8000-0000000000c1";
const AT: &str = "2026-11-20T09:30:00+00:00";

/// A request with a body of this schema.
pub(super) fn request(schema: &str) -> Option<Value> {
    match schema {
        "AssetInput" => Some(json!({
            "name": "Spring sale",
            "type": "email",
            "html": "<p>Hello {{first_name|there}}</p>",
            "subject": "Spring is here",
            "preheader": "Up to half off",
        })),
        "AssetChange" => Some(json!({"subject": "Spring is over", "preheader": null})),
        "IntegrationInput" => Some(json!({
            "name": "Our platform",
            "asset_types": ["email", "landing_page"],
            "merge_tag_format": "liquid",
            "merge_tag_mapping": {"field:jobTitle": "{{ person.title }}"},
        })),
        "IntegrationChange" => Some(json!({"merge_tag_format": "handlebars"})),
        "SyncInput" => Some(json!({"integration_id": INTEGRATION_ID})),
        "SyncReport" => Some(json!({
            "status": "completed",
            "map_id": "4711",
            "map_url": "https://platform.example/emails/4711",
        })),
        _ => None,
    }
}

/// What an answer with this schema holds.
pub(super) fn payload(schema: &str) -> Option<Value> {
    match schema {
        "AssetSummary" => Some(summary()),
        "Asset" => {
            let mut asset = summary();
            let members = asset.as_object_mut()?;
            members.insert("html".to_owned(), json!("<p>Hello {{first_name|there}}</p>"));
            members.insert("text".to_owned(), json!("Hello {{first_name|there}}"));
            members.insert("text_is_made".to_owned(), json!(true));
            members.insert("latest_syncs".to_owned(), json!([sync()]));
            Some(asset)
        }
        "Integration" => Some(json!({
            "id": INTEGRATION_ID,
            "name": "Our platform",
            "asset_types": ["email", "landing_page"],
            "merge_tag_format": "liquid",
            "merge_tag_mapping": {"field:jobTitle": "{{ person.title }}"},
            "created_at": AT,
            "updated_at": AT,
        })),
        "Sync" => Some(sync()),
        "Content" => Some(json!({
            "id": ASSET_ID,
            "name": "Spring sale",
            "type": "email",
            "subject": "Spring is here",
            "preheader": "Up to half off",
            "updated_at": AT,
            "html": "<p>Hello {{first_name|there}}</p>",
            "text": "Hello {{first_name|there}}",
            "platform": null,
            "merge_tags": ["first_name"],
        })),
        _ => None,
    }
}

fn summary() -> Value {
    json!({
        "id": ASSET_ID,
        "name": "Spring sale",
        "type": "email",
        "subject": "Spring is here",
        "preheader": "Up to half off",
        "sync_status": "sync_requested",
        "created_at": AT,
        "updated_at": AT,
    })
}

fn sync() -> Value {
    json!({
        "id": SYNC_ID,
        "asset_id": ASSET_ID,
        "integration_id": INTEGRATION_ID,
        "status": "sync_requested",
        "map_id": null,
        "map_url": null,
        "error_message": null,
        "requested_by": "ann@example.com",
        "requested_at": AT,
        "reported_at": null,
    })
}
