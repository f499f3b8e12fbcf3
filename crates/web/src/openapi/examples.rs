//! Examples of requests, which the service takes, and of answers.

use serde_json::{Value, json};

use super::success::Success;
use super::{access_examples, sync_examples, webhooks_examples};

const CONTACT_ID: &str = "01931e3a-7c00-7000-8000-0000000000ab";
const FIELD_ID: &str = "01931e3a-7c00-7000-8000-0000000000cd";

/// A request with a body of this schema.
pub(super) fn request(schema: &str) -> Option<Value> {
    let contact = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
    match schema {
        "FieldInput" => Some(json!({"name": "Job Title", "type": "string"})),
        "ContactInput" => Some(json!({
            "email": "ann@example.com",
            "first_name": "Ann",
            "last_name": "Lee",
            "avatar_url": "https://example.com/ann.png",
            "field_values": {"jobTitle": "Head of Sales"},
        })),
        "BulkInput" => Some(json!({"contacts": [contact]})),
        "BulkDeleteInput" => Some(json!({"ids": [CONTACT_ID]})),
        "FieldValuesInput" => Some(json!({"field_values": {"jobTitle": "Head of Sales"}})),
        other => sync_examples::request(other)
            .or_else(|| webhooks_examples::request(other))
            .or_else(|| access_examples::request(other)),
    }
}

/// The whole body of a success, when it has one.
pub(super) fn answer(success: &Success) -> Option<Value> {
    match success {
        Success::Created(schema)
        | Success::CreatedVersion(schema)
        | Success::Accepted(schema)
        | Success::One(schema)
        | Success::Versioned(schema) => Some(json!({"data": payload(schema)?})),
        Success::List(schema) | Success::VersionedList(schema) | Success::Replaced(schema) => {
            Some(json!({"data": [payload(schema)?]}))
        }
        Success::Page(schema) => Some(json!({"data": [payload(schema)?], "meta": {
            "current_page": 1, "per_page": 25, "total": 1, "last_page": 1, "from": 1, "to": 1,
        }})),
        Success::Nothing => None,
    }
}

fn payload(schema: &str) -> Option<Value> {
    match schema {
        "Contact" => Some(contact()),
        "ContactDetail" => {
            let mut detail = contact();
            detail.as_object_mut()?.insert("field_values".to_owned(), json!([value()]));
            Some(detail)
        }
        "Field" => Some(json!({
            "id": FIELD_ID,
            "key": "jobTitle",
            "name": "Job Title",
            "type": "string",
            "directory_id": "01931e3a-7c00-7000-8000-000000000001",
        })),
        "FieldValueEntry" => Some(value()),
        "Scalar" => Some(json!("Head of Sales")),
        "BulkResult" => Some(json!({"created": 1, "updated": 0, "failed": 1, "errors": [{
            "index": 1, "email": "bob@example", "details": {"email": ["must be a valid email address"]},
        }]})),
        "BulkDeleteResult" => Some(json!({"deleted": 1})),
        other => sync_examples::payload(other)
            .or_else(|| webhooks_examples::payload(other))
            .or_else(|| access_examples::payload(other)),
    }
}

fn contact() -> Value {
    json!({
        "id": CONTACT_ID,
        "first_name": "Ann",
        "last_name": "Lee",
        "email": "ann@example.com",
        "avatar_url": "https://example.com/ann.png",
        "supervisor_id": null,
        "created_at": "2026-11-20T09:30:00+00:00",
        "updated_at": "2026-11-20T09:30:00+00:00",
    })
}

fn value() -> Value {
    json!({
        "field_id": FIELD_ID,
        "key": "jobTitle",
        "name": "Job Title",
        "type": "string",
        "value": "Head of Sales",
    })
}
