//! Whether all values are indexed that a list needs.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::{Condition, ListQuery, SortKey};
use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::sql;

/// Fails if a field of the query is no longer filterable in the snapshot of the list: the caller's view of the fields is up
/// to a second old. Repeating the call shows the new state.
pub(in crate::contacts) fn require(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
) -> Result<(), Failure> {
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
        return Ok(());
    }
    let ready = sql!(
        "SELECT count(*) AS total FROM fields WHERE company_id = ? AND index_state = 'ready' AND id {}",
        any_id(connection, fields.iter().map(|field| field.uuid())),
    );
    let ready = total(connection, ready.bind(company))?;
    if usize::try_from(ready).is_ok_and(|ready| ready == fields.len()) {
        return Ok(());
    }
    Err(Failure::Overtaken)
}
