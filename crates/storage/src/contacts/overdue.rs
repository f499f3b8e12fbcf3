//! Find the deleted contacts that are to be erased.

use diesel::QueryableByName;
use diesel::sql_types::{Integer, Nullable};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use crate::columns::{IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::{sql, statement};

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[derive(QueryableByName)]
struct Period {
    #[diesel(sql_type = Nullable<Integer>)]
    days: Option<i32>,
}

/// The next company that erases deleted contacts.
pub(super) fn next_erasing(
    connection: &mut Connection,
    after: Option<CompanyId>,
) -> Result<Option<CompanyId>, Failure> {
    let text = "SELECT id FROM companies \
         WHERE erase_deleted_after_days IS NOT NULL AND id > ? ORDER BY id LIMIT 1";
    let after = after.map_or_else(Uuid::nil, CompanyId::uuid);
    let next: Option<IdRow> = connection.first(statement(text).bind(IdValue(after)))?;
    Ok(next.map(|row| CompanyId::new(row.id.0)))
}

/// The moment before which overdue contacts of a company were deleted; `None` if it does not erase any. With a lock the
/// company's setting stays until the transaction ends.
pub(super) fn limit(
    connection: &mut Connection,
    company: CompanyId,
    now: Timestamp,
    lock: Lock,
) -> Result<Option<Timestamp>, Failure> {
    let select = sql!(
        "SELECT erase_deleted_after_days AS days FROM companies WHERE id = ?{}",
        lock.on(connection)
    );
    let period: Option<Period> = connection.first(select.bind(company))?;
    let days = period.and_then(|period| period.days);
    Ok(days.map(|days| now.plus_seconds(-DAY_SECONDS * i64::from(days))))
}

pub(super) fn overdue(
    connection: &mut Connection,
    company: CompanyId,
    now: Timestamp,
    most: u32,
) -> Result<Vec<ContactId>, Failure> {
    let Some(before) = limit(connection, company, now, Lock::None)? else {
        return Ok(Vec::new());
    };
    let text = "SELECT id FROM contacts WHERE company_id = ? AND deleted_at IS NOT NULL AND deleted_at < ? \
         ORDER BY deleted_at, id LIMIT ?";
    let select = statement(text).bind(company).bind(before).bind(i64::from(most));
    let deleted: Vec<IdRow> = connection.rows(select)?;
    Ok(deleted.into_iter().map(|row| ContactId::new(row.id.0)).collect())
}
