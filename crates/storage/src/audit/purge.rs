//! Delete old entries.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

pub(crate) fn delete_old(
    connection: &mut Connection,
    company: CompanyId,
    before: Timestamp,
    limit: u32,
) -> Result<usize, Failure> {
    let text = "DELETE FROM audit WHERE company_id = ? AND (position, ordinal) IN (SELECT position, ordinal FROM audit \
         WHERE company_id = ? AND at < ? ORDER BY at, position, ordinal LIMIT ?)";
    let delete = statement(text).bind(company).bind(company).bind(before).bind(i64::from(limit));
    Ok(connection.execute(delete)?)
}
