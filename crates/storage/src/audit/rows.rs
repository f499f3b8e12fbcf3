//! Rows of `audit`.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use serde_json::{Map, Value};
use uuid::Uuid;

use contact_hub_domain::audit::{AuditAction, AuditCursor, AuditEntry, NewAuditEntry};
use contact_hub_domain::author::{Author, Call};
use contact_hub_domain::changes::Position;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::failure::Failure;

pub(super) const COLUMNS: &str = "position, ordinal, at, action, object_id, actor_id, key_id, address, request_id, \
     counts, old_settings, new_settings";

#[derive(QueryableByName)]
pub(super) struct AuditRow {
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Integer)]
    ordinal: i32,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
    #[diesel(sql_type = Text)]
    action: String,
    #[diesel(sql_type = Id)]
    object_id: IdValue,
    #[diesel(sql_type = Id)]
    actor_id: IdValue,
    #[diesel(sql_type = Id)]
    key_id: IdValue,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    request_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    counts: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    old_settings: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    new_settings: Option<String>,
}

impl AuditRow {
    pub(super) fn into_entry(self, company: CompanyId) -> Result<AuditEntry, Failure> {
        let position = Position { number: self.position, ordinal: self.ordinal };
        let corrupt = || Failure::Corrupt(format!("entry {position} of the audit"));
        let call = Call {
            key: known(self.key_id).map(ApiKeyId::new),
            address: self.address.and_then(|text| text.parse().ok()),
            request_id: self.request_id.map(Into::into),
            browser: None,
        };
        let members = |text: Option<String>| -> Result<Option<Map<String, Value>>, Failure> {
            let read = |text: String| serde_json::from_str(&text).map_err(|_syntax| corrupt());
            text.map(read).transpose()
        };
        let entry = NewAuditEntry {
            action: AuditAction::parse(&self.action).ok_or_else(corrupt)?,
            at: self.at.0,
            object: known(self.object_id),
            by: Author { company, user: known(self.actor_id).map(UserId::new), call },
            counts: members(self.counts)?,
            old: members(self.old_settings)?,
            new: members(self.new_settings)?,
        };
        Ok(AuditEntry { cursor: AuditCursor { at: self.at.0, position }, entry })
    }
}

fn known(id: IdValue) -> Option<Uuid> {
    (!id.0.is_nil()).then_some(id.0)
}
