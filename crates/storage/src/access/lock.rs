//! Shared parts of writes: yes-or-no queries, the condition on the company, the lock on a user.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ids::{CompanyId, UserId};

use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::{Statement, sql};

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Runs a query that returns one row with the column `yes`.
pub(super) fn ask(connection: &mut Connection, question: Statement) -> Result<bool, Failure> {
    Ok(connection.first::<Answer>(question)?.is_some_and(|answer| answer.yes))
}

/// Locks a user of the company (of any company when `None`), so that no other transaction deletes the user, and writes
/// of the same kind wait. Returns false when there is no such user, or the company is being deleted.
pub(crate) fn lock_user(
    connection: &mut Connection,
    company: Option<CompanyId>,
    user: UserId,
) -> Result<bool, Failure> {
    let lock = Lock::ForNoKeyUpdate.on(connection);
    let condition = of_company("company_id", company);
    let select = sql!(
        "SELECT true AS yes FROM users WHERE id = ?{} AND EXISTS (SELECT 1 FROM companies \
         WHERE companies.id = users.company_id AND companies.deleting_since IS NULL){}",
        condition,
        lock
    );
    ask(connection, select.bind(user))
}

/// A condition that limits a statement to one company; an operator's statement has none.
pub(super) fn of_company(column: &'static str, company: Option<CompanyId>) -> Option<Statement> {
    company.map(|company| sql!(" AND {} = ?", column).bind(company))
}
