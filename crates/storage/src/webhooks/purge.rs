//! Delete old deliveries.

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::time::Timestamp;

use super::leases;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct PurgedRow {
    #[diesel(sql_type = Id)]
    event_id: IdValue,
}

/// Deletes closed deliveries, the oldest first, and their attempts. Rows of a webhook with an unfinished settlement
/// are kept.
pub(super) fn purge(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<u64, Failure> {
    leases::purge(connection, before)?;
    let text = "DELETE FROM deliveries WHERE due_at IS NULL AND id IN (SELECT id FROM deliveries \
         WHERE due_at IS NULL AND updated_at < ? AND NOT EXISTS (SELECT 1 FROM settlements \
         WHERE settlements.webhook_id = deliveries.webhook_id) ORDER BY updated_at LIMIT ?) RETURNING event_id";
    let purge = statement(text).bind(before).bind(i64::from(limit));
    let purged: Vec<PurgedRow> = connection.rows(purge)?;
    if purged.is_empty() {
        return Ok(0);
    }
    let mut events: Vec<Uuid> = purged.iter().map(|row| row.event_id.0).collect();
    events.sort_unstable();
    events.dedup();
    let any = any_id(connection, events.into_iter());
    let delete = sql!(
        "DELETE FROM events WHERE id {} AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = events.id)",
        any
    );
    connection.execute(delete)?;
    Ok(u64::try_from(purged.len()).unwrap_or(u64::MAX))
}
