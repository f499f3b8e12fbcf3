//! The entries of one object.

use uuid::Uuid;

use contact_hub_domain::changes::ChangeEntry;
use contact_hub_domain::ids::CompanyId;

use super::rows::{COLUMNS, EntryRow};
use crate::columns::IdValue;
use crate::connection::Connection;
use crate::dialect::along;
use crate::failure::Failure;
use crate::statement::sql;

/// Removes the names of properties from all entries of an object.
pub(crate) fn forget(
    connection: &mut Connection,
    company: CompanyId,
    object: Uuid,
) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE changes{} SET changed = '[]' WHERE company_id = ? AND object_id = ?",
        along(connection, "changes_of_object")
    );
    connection.execute(update.bind(company).bind(IdValue(object)))?;
    Ok(())
}

/// The latest entries of an object, the oldest first.
pub(crate) fn of_object(
    connection: &mut Connection,
    company: CompanyId,
    object: Uuid,
    limit: u32,
) -> Result<Vec<ChangeEntry>, Failure> {
    // The sum keeps the database from reading the whole feed in its order.
    let select = sql!(
        "SELECT {} FROM changes WHERE company_id = ? AND object_id = ? \
         ORDER BY position + 0 DESC, ordinal DESC LIMIT ?",
        COLUMNS
    );
    let select = select.bind(company).bind(IdValue(object)).bind(i64::from(limit));
    let rows: Vec<EntryRow> = connection.rows(select)?;
    rows.into_iter().rev().map(EntryRow::into_entry).collect()
}
