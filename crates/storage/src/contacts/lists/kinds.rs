//! The types of the fields that a list names. The values of all of them are indexed.

use std::collections::{BTreeMap, BTreeSet};

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::contacts::{Condition, ListQuery, SortKey};
use contact_hub_domain::fields::FieldType;
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::input::FromText as _;

use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::sql;

/// Types by field.
pub(super) type Kinds = BTreeMap<FieldId, FieldType>;

#[derive(QueryableByName)]
struct Ready {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    kind: String,
}

/// The types of the fields of the query.
///
/// Fails if a field of the query is no longer filterable in the snapshot of the list: the caller's view of the fields is up
/// to a second old. Repeating the call shows the new state, since the fields are then read anew.
pub(super) fn kinds(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
) -> Result<Kinds, Failure> {
    let filtered = query.conditions.iter().filter_map(|condition| match condition {
        Condition::Value { field, .. } => Some(*field),
        _ => None,
    });
    let sorted = query.sorts.keys().iter().filter_map(|sort| match sort.key {
        SortKey::Field(field) => Some(field),
        _ => None,
    });
    let fields: BTreeSet<FieldId> = filtered.chain(sorted).collect();
    if fields.is_empty() {
        return Ok(Kinds::new());
    }
    let ready = sql!(
        "SELECT id, type AS kind FROM fields WHERE company_id = ? AND index_state = 'ready' AND id {}",
        any_id(connection, fields.iter().map(|field| field.uuid())),
    );
    let ready: Vec<Ready> = connection.rows(ready.bind(company))?;
    if ready.len() != fields.len() {
        storage.directories().forget(company);
        return Err(Failure::Overtaken);
    }
    let kind = |Ready { id, kind }: Ready| match FieldType::from_text(&kind) {
        Ok(kind) => Ok((FieldId::new(id.0), kind)),
        Err(_unknown) => Err(Failure::Corrupt(format!("fields.type of field {}", id.0))),
    };
    ready.into_iter().map(kind).collect()
}
