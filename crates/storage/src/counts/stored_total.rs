//! The number of a company's contacts, which is kept with them.

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, statement};

/// The number of active contacts of a company.
pub(crate) fn stored_total(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<u64, Failure> {
    Ok(u64::try_from(kept_total(connection, company)?).unwrap_or_default())
}

/// The same as it is kept, which is negative if it is wrong.
pub(crate) fn kept_total(connection: &mut Connection, company: CompanyId) -> Result<i64, Failure> {
    total(connection, select(company))
}

/// Selects the number as `total`.
pub(super) fn select(company: CompanyId) -> Statement {
    let text = "SELECT active + CAST(coalesce((SELECT sum(contacts) FROM count_changes \
         WHERE company_id = ?), 0) AS bigint) AS total FROM contact_counts WHERE company_id = ?";
    statement(text).bind(company).bind(company)
}
