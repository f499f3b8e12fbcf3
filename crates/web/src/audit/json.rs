//! How entries of the audit look on the wire.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use contact_hub_domain::audit::AuditEntry;

use crate::openapi::values::AuditActionName;

/// Who did it.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditActor {
    /// The user; null for the service itself and its operator.
    #[schema(required, format = "uuid")]
    user: Option<String>,
    /// The API key; null for a person on the pages.
    #[schema(required, format = "uuid")]
    key: Option<String>,
    /// The address of the client.
    #[schema(required)]
    address: Option<String>,
}

/// An entry of the audit.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
pub(crate) struct AuditEntryJson<'a> {
    /// Unique in the company.
    id: String,
    #[schema(format = DateTime)]
    at: String,
    #[schema(value_type = AuditActionName)]
    action: &'static str,
    /// What it was done to; null when it was done to many.
    #[schema(required, format = "uuid")]
    object: Option<String>,
    actor: AuditActor,
    /// The id of the request.
    #[schema(required)]
    request_id: Option<&'a str>,
    /// How many, of a call on many things.
    #[schema(required, value_type = Option<Object>)]
    counts: Option<&'a Map<String, Value>>,
    /// The settings that differ, as they were.
    #[schema(required, value_type = Option<Object>)]
    old: Option<&'a Map<String, Value>>,
    /// The settings that differ, as they are; of a new thing all of them. Secrets are never among them.
    #[schema(required, value_type = Option<Object>)]
    new: Option<&'a Map<String, Value>>,
}

impl<'a> From<&'a AuditEntry> for AuditEntryJson<'a> {
    fn from(AuditEntry { cursor, entry }: &'a AuditEntry) -> Self {
        let call = &entry.by.call;
        Self {
            id: cursor.position.to_string(),
            at: entry.at.to_seconds_text(),
            action: entry.action.as_str(),
            object: entry.object.map(|object| object.as_hyphenated().to_string()),
            actor: AuditActor {
                user: entry.by.user.map(|user| user.to_string()),
                key: call.key.map(|key| key.to_string()),
                address: call.address.map(|address| address.to_string()),
            },
            request_id: call.request_id.as_deref(),
            counts: entry.counts.as_ref(),
            old: entry.old.as_ref(),
            new: entry.new.as_ref(),
        }
    }
}
