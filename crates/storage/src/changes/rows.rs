//! Rows of `changes`.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};

use contact_hub_domain::changes::{ChangeEntry, ChangeType, NewEntry, Position};
use contact_hub_domain::ids::UserId;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::failure::Failure;

pub(super) const COLUMNS: &str =
    "position, ordinal, type AS kind, at, object_id, actor_id, changed, request_id";

#[derive(QueryableByName)]
pub(super) struct PositionRow {
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Integer)]
    ordinal: i32,
}

impl From<PositionRow> for Position {
    fn from(row: PositionRow) -> Self {
        Self { number: row.position, ordinal: row.ordinal }
    }
}

#[derive(QueryableByName)]
pub(super) struct EntryRow {
    #[diesel(embed)]
    position: PositionRow,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
    #[diesel(sql_type = Id)]
    object_id: IdValue,
    #[diesel(sql_type = Id)]
    actor_id: IdValue,
    #[diesel(sql_type = Text)]
    changed: String,
    #[diesel(sql_type = Nullable<Text>)]
    request_id: Option<String>,
}

impl EntryRow {
    pub(super) fn into_entry(self) -> Result<ChangeEntry, Failure> {
        let corrupt =
            |what| Failure::Corrupt(format!("{what} of an entry of {}", self.object_id.0));
        let kind = ChangeType::parse(&self.kind).ok_or_else(|| corrupt("type"))?;
        let changed = serde_json::from_str(&self.changed).map_err(|_syntax| corrupt("changed"))?;
        let actor = (!self.actor_id.0.is_nil()).then(|| UserId::new(self.actor_id.0));
        let entry = NewEntry {
            kind,
            at: self.at.0,
            object: self.object_id.0,
            changed,
            actor,
            request_id: self.request_id.map(Into::into),
        };
        Ok(ChangeEntry { position: self.position.into(), entry })
    }
}
