//! Find the deleted contacts that are to be erased.

use diesel::QueryableByName;
use diesel::sql_types::Integer;

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

/// At most this many of the contacts of each company that were deleted as long ago as the company says.
pub(super) fn overdue(
    connection: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(CompanyId, ContactId)>, Failure> {
    let text = "SELECT id, erase_deleted_after_days AS days FROM companies \
         WHERE erase_deleted_after_days IS NOT NULL";
    let companies: Vec<Erasing> = connection.rows(statement(text))?;
    let mut overdue = Vec::new();
    for Erasing { id, days } in companies {
        let company = CompanyId::new(id.0);
        let before = now.plus_seconds(-DAY_SECONDS * i64::from(days));
        let text = "SELECT id FROM contacts WHERE company_id = ? AND deleted_at IS NOT NULL AND deleted_at < ? \
             ORDER BY deleted_at, id LIMIT ?";
        let select = statement(text).bind(company).bind(before).bind(i64::from(limit));
        let deleted: Vec<Deleted> = connection.rows(select)?;
        overdue.extend(deleted.into_iter().map(|it| (company, ContactId::new(it.id.0))));
    }
    Ok(overdue)
}
