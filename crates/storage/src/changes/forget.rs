//! Remove the names from the entries of an erased object.

use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// Removes the names of properties from all entries of an object.
pub(crate) fn forget(
    connection: &mut Connection,
    company: CompanyId,
    object: Uuid,
) -> Result<(), Failure> {
    let text = "UPDATE changes SET changed = '[]' WHERE company_id = ? AND object_id = ?";
    connection.execute(statement(text).bind(company).bind(crate::columns::IdValue(object)))?;
    Ok(())
}
