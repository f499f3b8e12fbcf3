//! The values in use for a field.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::fields::{FieldType, FieldValue, ValuesQuery};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::input::{FromText, Input};
use contact_hub_domain::page::Page;

use crate::columns::{Json, JsonValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::paged;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct FieldKind {
    #[diesel(sql_type = Text)]
    kind: String,
}

#[derive(QueryableByName)]
struct Value {
    #[diesel(sql_type = Json)]
    value: JsonValue,
}

/// A page of the distinct values of a field of the company; `None` when there is no such field.
pub(super) fn list_values(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    query: &ValuesQuery,
) -> Result<Option<Page<FieldValue>>, Failure> {
    let kind = statement("SELECT type AS kind FROM fields WHERE id = ? AND company_id = ?");
    let Some(kind) = connection.first::<FieldKind>(kind.bind(field).bind(company))? else {
        return Ok(None);
    };
    let corrupt = |what: &str| Failure::Corrupt(format!("{what} of field {field}"));
    let kind = FieldType::from_text(&kind.kind).map_err(|_unknown| corrupt("fields.type"))?;
    let direction = if query.descending { "DESC" } else { "ASC" };
    let order = sql!(
        "sort_key {direction}, sort_rest {direction}, identity {direction}",
        direction = direction,
    );
    let uses = statement("field_value_uses WHERE field_id = ?").bind(field);
    let value = |row: Value| {
        FieldValue::from_stored(kind, Input::from_json(&row.value.0))
            .ok_or_else(|| corrupt("field_value_uses.value"))
    };
    paged(connection, query.page, "value", &uses, order, value).map(Some)
}
