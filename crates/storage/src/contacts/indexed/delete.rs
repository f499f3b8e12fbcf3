//! A batch of the values of a field that is no longer filterable.

use diesel::QueryableByName;
use diesel::sql_types::Integer;

use super::naming::of_field;
use super::todo::Todo;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::{Lock, any_selected, in_index_order, unindexed};
use crate::failure::Failure;
use crate::fields::{IndexState, set_state};
use crate::statement::sql;

#[derive(QueryableByName)]
struct Locked {
    #[diesel(sql_type = Integer)]
    index_version: i32,
}

/// Deletes at most this many rows; returns whether there are more.
pub(super) fn batch(connection: &mut Connection, todo: Todo, rows: u32) -> Result<bool, Failure> {
    let select = sql!(
        "SELECT index_version FROM fields WHERE company_id = ? AND id = ?{}",
        Lock::ForNoKeyUpdate.on(connection)
    );
    let field: Option<Locked> = connection.first(select.bind(todo.company).bind(todo.field))?;
    if field.is_none_or(|field| field.index_version != todo.version) {
        return Ok(false);
    }
    let some = sql!(
        "SELECT contact_id FROM indexed_values WHERE {} ORDER BY sort_key, contact_id LIMIT ?",
        of_field(connection, "", todo.company, todo.field),
    );
    let some = some.bind(i64::from(rows));
    let delete = sql!(
        "DELETE FROM indexed_values WHERE {} AND contact_id {}",
        of_field(connection, unindexed(connection), todo.company, todo.field),
        any_selected(connection, some),
    );
    let deleted = in_index_order(connection, |connection| Ok(connection.execute(delete)?))?;
    // Rows that other transactions delete do not count here, so a smaller number does not mean that none is left.
    let may_be_last = u32::try_from(deleted).is_ok_and(|deleted| deleted < rows);
    let is_last = may_be_last && !has_rows(connection, todo)?;
    if is_last {
        let is_dropped = todo.state == IndexState::Dropping;
        let state = if is_dropped { IndexState::Absent } else { IndexState::Building };
        set_state(connection, todo.company, todo.field, state)?;
    }
    Ok(!is_last)
}

/// Whether the field has indexed values.
fn has_rows(connection: &mut Connection, todo: Todo) -> Result<bool, Failure> {
    let first = sql!(
        "SELECT contact_id AS id FROM indexed_values WHERE {} ORDER BY sort_key, contact_id LIMIT 1",
        of_field(connection, "", todo.company, todo.field),
    );
    let row: Option<IdRow> = in_index_order(connection, |connection| Ok(connection.first(first)?))?;
    Ok(row.is_some())
}
