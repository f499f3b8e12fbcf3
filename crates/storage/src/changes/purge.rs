//! Delete old entries.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer};

use contact_hub_domain::changes::Position;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Owner {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

#[derive(QueryableByName)]
struct Old {
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Integer)]
    ordinal: i32,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
}

/// Deletes the oldest entries of a company whose oldest entry is older than this; none when there is no such company.
pub(super) fn purge(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<u64, Failure> {
    let text = "SELECT id FROM companies WHERE (SELECT at FROM changes WHERE company_id = companies.id \
         ORDER BY position, ordinal LIMIT 1) < ? LIMIT 1";
    let owner: Option<Owner> = connection.first(statement(text).bind(before))?;
    let Some(company) = owner.map(|owner| CompanyId::new(owner.id.0)) else { return Ok(0) };
    let text = "SELECT position, ordinal, at FROM changes WHERE company_id = ? \
         ORDER BY position, ordinal LIMIT ?";
    let oldest: Vec<Old> = connection.rows(statement(text).bind(company).bind(i64::from(limit)))?;
    let old = oldest.into_iter().take_while(|entry| entry.at.0 < before).last();
    let Some(last) = old.map(|old| Position { number: old.position, ordinal: old.ordinal }) else {
        return Ok(0);
    };
    let text = "DELETE FROM changes WHERE company_id = ? AND (position, ordinal) <= (?, ?)";
    let delete = statement(text).bind(company).bind(last.number).bind(last.ordinal);
    let deleted = connection.execute(delete)?;
    let text = "INSERT INTO change_purges (company_id, position, ordinal) VALUES (?, ?, ?) \
         ON CONFLICT (company_id) DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal";
    connection.execute(statement(text).bind(company).bind(last.number).bind(last.ordinal))?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}
