//! Find the deleted contacts that are to be erased.

use diesel::QueryableByName;
use diesel::sql_types::Integer;
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[derive(QueryableByName)]
struct Erasing {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Integer)]
    days: i32,
}

#[derive(QueryableByName)]
struct Deleted {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// The next company that erases deleted contacts, with the moment before which they were deleted.
pub(super) fn next_erasing(
    connection: &mut Connection,
    now: Timestamp,
    after: Option<CompanyId>,
) -> Result<Option<(CompanyId, Timestamp)>, Failure> {
    let text = "SELECT id, erase_deleted_after_days AS days FROM companies \
         WHERE erase_deleted_after_days IS NOT NULL AND id > ? ORDER BY id LIMIT 1";
    let after = after.map_or_else(Uuid::nil, CompanyId::uuid);
    let next: Option<Erasing> = connection.first(statement(text).bind(IdValue(after)))?;
    Ok(next.map(|Erasing { id, days }| {
        (CompanyId::new(id.0), now.plus_seconds(-DAY_SECONDS * i64::from(days)))
    }))
}

pub(super) fn deleted_before(
    connection: &mut Connection,
    company: CompanyId,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<ContactId>, Failure> {
    let text = "SELECT id FROM contacts WHERE company_id = ? AND deleted_at IS NOT NULL AND deleted_at < ? \
         ORDER BY deleted_at, id LIMIT ?";
    let select = statement(text).bind(company).bind(before).bind(i64::from(limit));
    let deleted: Vec<Deleted> = connection.rows(select)?;
    Ok(deleted.into_iter().map(|it| ContactId::new(it.id.0)).collect())
}
