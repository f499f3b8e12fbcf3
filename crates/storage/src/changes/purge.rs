//! Delete old entries.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer};

use contact_hub_domain::changes::Position;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Old {
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Integer)]
    ordinal: i32,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
}

/// Deletes the oldest entries up to the first that is not old, so that what is left is the end of the feed.
pub(crate) fn delete_old(
    connection: &mut Connection,
    company: CompanyId,
    before: Timestamp,
    limit: u32,
) -> Result<usize, Failure> {
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
    // Another instance may have deleted more meanwhile.
    let text = "INSERT INTO change_purges (company_id, position, ordinal) VALUES (?, ?, ?) \
         ON CONFLICT (company_id) DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal \
         WHERE (change_purges.position, change_purges.ordinal) < (excluded.position, excluded.ordinal)";
    connection.execute(statement(text).bind(company).bind(last.number).bind(last.ordinal))?;
    Ok(deleted)
}
