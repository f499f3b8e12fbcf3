//! Give leases back, look ahead, and delete what is old.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable};
use uuid::Uuid;

use contact_hub_domain::ids::{DeliveryId, LeaseId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Backlog, DeliveryState, MAX_BACKLOG};

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Cells, Source, any_id};
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = Nullable<Moment>)]
    due_at: Option<MomentValue>,
}

#[derive(QueryableByName)]
struct PurgedRow {
    #[diesel(sql_type = Id)]
    event_id: IdValue,
}

pub(super) fn next_due(connection: &mut Connection) -> Result<Option<Timestamp>, Failure> {
    let text = "SELECT min(due_at) AS due_at FROM deliveries WHERE due_at IS NOT NULL";
    let row: Option<DueRow> = connection.first(statement(text))?;
    Ok(row.and_then(|row| row.due_at).map(|due| due.0))
}

#[derive(QueryableByName)]
struct BacklogRow {
    #[diesel(sql_type = BigInt)]
    due: i64,
    #[diesel(sql_type = Nullable<Moment>)]
    since: Option<MomentValue>,
}

pub(super) fn backlog(connection: &mut Connection, now: Timestamp) -> Result<Backlog, Failure> {
    let text = "SELECT count(*) AS due, min(due_at) AS since FROM \
         (SELECT due_at FROM deliveries WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?) AS waiting";
    let select = statement(text).bind(now).bind(i64::from(MAX_BACKLOG));
    let row: Option<BacklogRow> = connection.first(select)?;
    Ok(row.map_or_else(Backlog::default, |row| Backlog {
        due: u64::try_from(row.due).unwrap_or_default(),
        since: row.since.map(|since| since.0),
    }))
}

/// What was claimed is due again since then. What was closed in the meantime only loses its lease.
pub(super) fn release(
    connection: &mut Connection,
    held: &[(DeliveryId, LeaseId)],
) -> Result<(), Failure> {
    let source = Source::default()
        .column("id", Cells::Ids(held.iter().map(|(id, _)| id.uuid()).collect()))
        .column("lease", Cells::Ids(held.iter().map(|(_, lease)| lease.uuid()).collect()));
    let text = format!(
        "UPDATE deliveries SET lease = NULL, \
         due_at = CASE WHEN state = 'in_progress' THEN updated_at ELSE due_at END, \
         state = CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN ? ELSE ? END \
         FROM {} WHERE deliveries.id = source.id AND deliveries.lease = source.lease",
        source.text(connection)
    );
    let release = statement(text)
        .bind(DeliveryState::Retrying.as_str())
        .bind(DeliveryState::Pending.as_str());
    let release = source.bind(connection, release);
    connection.execute(release)?;
    Ok(())
}

/// Deletes closed deliveries, the oldest first. Their attempts go with them.
pub(super) fn purge(
    connection: &mut Connection,
    before: Timestamp,
    limit: u32,
) -> Result<u64, Failure> {
    let text = "DELETE FROM deliveries WHERE due_at IS NULL AND id IN (SELECT id FROM deliveries \
         WHERE due_at IS NULL AND updated_at < ? ORDER BY updated_at LIMIT ?) RETURNING event_id";
    let purge = statement(text).bind(before).bind(i64::from(limit));
    let purged: Vec<PurgedRow> = connection.rows(purge)?;
    if purged.is_empty() {
        return Ok(0);
    }
    let mut events: Vec<Uuid> = purged.iter().map(|row| row.event_id.0).collect();
    events.sort_unstable();
    events.dedup();
    let (any, ids) = any_id(connection, events.into_iter());
    let text = format!(
        "DELETE FROM events WHERE id {any} AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = events.id)"
    );
    connection.execute(statement(text).bind(ids))?;
    Ok(u64::try_from(purged.len()).unwrap_or(u64::MAX))
}
