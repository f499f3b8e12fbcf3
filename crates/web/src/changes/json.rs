//! How entries of the feed look on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use contact_hub_domain::changes::ChangeEntry;

use crate::openapi::values::ChangeTypeName;

/// An entry of the change feed.
#[derive(Serialize, ToSchema)]
#[schema(as = Change)]
pub(crate) struct ChangeJson<'a> {
    /// Unique in the company.
    id: String,
    #[schema(value_type = ChangeTypeName)]
    r#type: &'static str,
    #[schema(format = DateTime)]
    at: String,
    /// The contact, field or sync.
    #[schema(format = "uuid")]
    object_id: String,
    /// The names of the properties that differ, and of field values as `field:<key>`; of a new object those that it has.
    changed: &'a [String],
    /// The user who made the change; null for the service itself and its operator.
    #[schema(required, format = "uuid")]
    actor: Option<String>,
    /// The id of the request that made it.
    #[schema(required)]
    request_id: Option<&'a str>,
}

impl<'a> From<&'a ChangeEntry> for ChangeJson<'a> {
    fn from(ChangeEntry { position, entry }: &'a ChangeEntry) -> Self {
        Self {
            id: position.to_string(),
            r#type: entry.kind.as_str(),
            at: entry.at.to_seconds_text(),
            object_id: entry.object.as_hyphenated().to_string(),
            changed: &entry.changed,
            actor: entry.actor.map(|user| user.to_string()),
            request_id: entry.request_id.as_deref(),
        }
    }
}
