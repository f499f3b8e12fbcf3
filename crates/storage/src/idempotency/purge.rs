//! Delete answers that have expired.

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
    let text = "DELETE FROM kept_answers WHERE company_id = ? AND (user_id, key) IN \
         (SELECT user_id, key FROM kept_answers WHERE company_id = ? AND kept_at <= ? ORDER BY kept_at LIMIT ?)";
    let delete = statement(text).bind(company).bind(company).bind(before).bind(i64::from(limit));
    Ok(connection.execute(delete)?)
}
