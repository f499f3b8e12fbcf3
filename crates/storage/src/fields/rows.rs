//! A row of `fields`.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::fields::{Field, FieldKey, FieldType};
use contact_hub_domain::ids::{DirectoryId, FieldId};
use contact_hub_domain::input::FromText;

use crate::columns::{Id, IdValue};
use crate::failure::Failure;

pub(super) const COLUMNS: &str =
    "fields.id, fields.key, fields.name, fields.type AS kind, companies.directory_id";

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
}

impl FieldRow {
    pub(super) fn into_field(self) -> Result<Field, Failure> {
        let id = self.id.0;
        let kind = FieldType::from_text(&self.kind)
            .map_err(|_refusal| Failure::Corrupt(format!("fields.type of {id}")))?;
        Ok(Field {
            id: FieldId::new(id),
            key: FieldKey::from_stored(self.key),
            name: self.name,
            kind,
            directory_id: DirectoryId::new(self.directory_id.0),
        })
    }
}
