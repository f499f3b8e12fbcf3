//! A row of `fields`.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};

use contact_hub_domain::fields::{Field, FieldKey, FieldType};
use contact_hub_domain::ids::{DirectoryId, FieldId};
use contact_hub_domain::input::FromText;

use super::index_state::IndexState;
use crate::columns::{Id, IdValue};
use crate::failure::Failure;

pub(super) const COLUMNS: &str = "fields.id, fields.key, fields.name, fields.type AS kind, companies.directory_id, fields.archived, fields.index_state";

#[derive(QueryableByName)]
pub(super) struct FieldRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Id)]
    directory_id: IdValue,
    #[diesel(sql_type = Bool)]
    archived: bool,
    #[diesel(sql_type = Text)]
    index_state: String,
}

impl FieldRow {
    pub(super) const fn id(&self) -> FieldId {
        FieldId::new(self.id.0)
    }

    pub(super) fn index_state(&self) -> Result<IndexState, Failure> {
        IndexState::parse(&self.index_state, self.id.0)
    }

    pub(super) fn into_field(self) -> Result<Field, Failure> {
        let (id, index_state) = (self.id.0, self.index_state()?);
        let kind = FieldType::from_text(&self.kind)
            .map_err(|_refusal| Failure::Corrupt(format!("fields.type of {id}")))?;
        Ok(Field {
            id: FieldId::new(id),
            key: FieldKey::from_stored(self.key),
            name: self.name,
            kind,
            directory_id: DirectoryId::new(self.directory_id.0),
            archived: self.archived,
            filterable: index_state.filterable(),
        })
    }
}
