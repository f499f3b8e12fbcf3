//! Counts rows against a limit, in the transaction that adds a row.
//!
//! The caller holds a lock on the owner's row, which serialises counting and adding. A count stops at the limit, and
//! reads an index that begins with the owner.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

#[derive(QueryableByName)]
struct Exists {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Locks the company's row until the transaction ends; returns false when there is no such company, or it
/// is being deleted. Rows that refer to it can still be written.
pub(crate) fn lock_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<bool, Failure> {
    let lock = Lock::ForNoKeyUpdate.on(connection);
    let select =
        sql!("SELECT true AS yes FROM companies WHERE id = ? AND deleting_since IS NULL{}", lock);
    let found: Option<Exists> = connection.first(select.bind(company))?;
    Ok(found.is_some_and(|found| found.yes))
}

/// Locks the row of a caller's company; fails when the company is being deleted. A later call of the user is not authenticated.
pub(crate) fn lock_own_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<(), Failure> {
    if lock_company(connection, company)? { Ok(()) } else { Err(Failure::Overtaken) }
}

/// Keeps the company's row from being deleted until the transaction ends, as a row that refers to it would; returns false
/// when there is no such company.
pub(crate) fn hold_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<bool, Failure> {
    let lock = Lock::ForKeyShare.on(connection);
    let select = sql!("SELECT true AS yes FROM companies WHERE id = ?{}", lock);
    let found: Option<Exists> = connection.first(select.bind(company))?;
    Ok(found.is_some_and(|found| found.yes))
}

/// Counts the rows of one owner, up to `max`. `rows` is what follows FROM.
pub(crate) fn count_up_to(
    connection: &mut Connection,
    rows: Statement,
    max: usize,
) -> Result<usize, Failure> {
    let most = i64::try_from(max).unwrap_or(i64::MAX);
    let count = sql!("SELECT count(*) AS total FROM (SELECT 1 FROM {} LIMIT ?) AS counted", rows);
    Ok(usize::try_from(total(connection, count.bind(most))?).unwrap_or(usize::MAX))
}
