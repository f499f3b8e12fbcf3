//! Examples for users, API keys and the company.

use serde_json::{Value, json};

const AT: &str = "2026-11-20T09:30:00+00:00";

/// A request with a body of this schema.
pub(super) fn request(schema: &str) -> Option<Value> {
    match schema {
        "UserInput" => Some(json!({
            "email": "importer@example.com",
            "permissions": ["contacts_api", "download_email"],
        })),
        "UserChange" => Some(json!({"permissions": ["contacts_api"]})),
        "ApiKeyInput" => Some(json!({"name": "Importer", "expires_at": "2099-01-01T00:00:00Z"})),
        "CompanyChange" => Some(json!({"allowed_domains": ["example.com", "*.example.com"]})),
        _ => None,
    }
}

/// What an answer with this schema holds.
pub(super) fn payload(schema: &str) -> Option<Value> {
    match schema {
        "User" => Some(json!({
            "id": "01931e3a-7c00-7000-8000-000000000002",
            "email": "importer@example.com",
            "permissions": ["contacts_api", "download_email"],
            "created_at": AT,
        })),
        "ApiKey" => Some(key()),
        "ApiKeyWithToken" => {
            let mut created = key();
            let token = json!("hub_…");
            created.as_object_mut()?.insert("token".to_owned(), token);
            Some(created)
        }
        "Company" => Some(json!({
            "id": "01931e3a-7c00-7000-8000-000000000003",
            "name": "Example Inc.",
            "product_access": true,
            "allowed_domains": ["*.example.com", "example.com"],
            "created_at": AT,
        })),
        _ => None,
    }
}

fn key() -> Value {
    json!({
        "id": "01931e3a-7c00-7000-8000-000000000001",
        "name": "Importer",
        "start": "hub_0aB1",
        "expires_at": "2099-01-01T00:00:00+00:00",
        "last_used_at": null,
        "revoked_at": null,
        "created_at": AT,
    })
}
