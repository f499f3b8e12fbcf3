//! Delete old entries.

use diesel::QueryableByName;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Owner {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// Deletes the oldest entries of a company that has entries from before this moment.
pub(super) fn purge(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<u64, Failure> {
    let text = "SELECT id FROM companies WHERE EXISTS (SELECT 1 FROM audit WHERE audit.company_id = companies.id \
         AND at < ?) LIMIT 1";
    let owner: Option<Owner> = connection.first(statement(text).bind(before))?;
    let Some(company) = owner.map(|owner| CompanyId::new(owner.id.0)) else { return Ok(0) };
    let text = "DELETE FROM audit WHERE company_id = ? AND (position, ordinal) IN (SELECT position, ordinal FROM audit \
         WHERE company_id = ? AND at < ? ORDER BY at, position, ordinal LIMIT ?)";
    let delete = statement(text).bind(company).bind(company).bind(before).bind(i64::from(limit));
    Ok(u64::try_from(connection.execute(delete)?).unwrap_or(u64::MAX))
}
