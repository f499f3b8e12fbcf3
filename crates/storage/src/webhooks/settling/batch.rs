//! Rewriting the rows that a settlement concerns, a batch at a time.

use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::Text;
use uuid::Uuid;

use contact_hub_domain::webhooks::{DeliveryState, Trigger};

use super::settlement::{Concerned, Settlement, delete, lock_any};
use super::{counts, erase};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{self, any_id};
use crate::failure::Failure;
use crate::statement::{Statement, statement};
use crate::webhooks::transitions::those;

/// How many rows are rewritten by the transaction of the change itself. Most changes concern fewer.
const AT_ONCE: u32 = 200;

#[derive(QueryableByName)]
struct ConcernedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    state: String,
}

/// How many rows are rewritten before the time is looked at again. On PostgreSQL, where others write meanwhile, they are
/// more, since each step reads past what the transaction has rewritten.
const fn step(connection: &Connection) -> u32 {
    match connection {
        Connection::Postgres(_) => 200,
        Connection::Sqlite(_) => 50,
    }
}

/// One batch of whatever there is to settle, which ends early once this time has passed; false when there is nothing.
pub(in crate::webhooks) fn settle(
    connection: &mut Connection,
    limit: u32,
    within: Duration,
) -> Result<bool, Failure> {
    if let Some(settlement) = lock_any(connection)? {
        in_steps(connection, limit, within, |connection, step| {
            settle_batch(connection, &settlement, step)
        })?;
        return Ok(true);
    }
    if let Some(erasure) = erase::lock_any(connection)? {
        let mut after = erasure.after;
        in_steps(connection, limit, within, |connection, step| {
            erase::erase(connection, &erasure, &mut after, step)
        })?;
        return Ok(true);
    }
    counts::sum_up(connection)
}

/// Takes one step after the other, of at most so many rows each, until one was the last, the rows are enough or the time
/// has passed.
fn in_steps(
    connection: &mut Connection,
    limit: u32,
    within: Duration,
    mut take: impl FnMut(&mut Connection, u32) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let (started, step, mut left) = (Instant::now(), step(connection), limit);
    while left > 0 && take(connection, left.min(step))? && started.elapsed() < within {
        left = left.saturating_sub(step);
    }
    Ok(())
}

/// The first rows that a new settlement concerns.
pub(super) fn settle_some(
    connection: &mut Connection,
    settlement: &Settlement,
) -> Result<(), Failure> {
    settle_batch(connection, settlement, AT_ONCE)?;
    Ok(())
}

/// Rewrites up to so many rows; true when there were as many.
fn settle_batch(
    connection: &mut Connection,
    settlement: &Settlement,
    limit: u32,
) -> Result<bool, Failure> {
    let lock = dialect::skip_locked(connection);
    let order = order(connection, settlement.concerned);
    let batch = concerned(settlement, "id, state", &format!("{order} LIMIT ?{lock}"));
    let rows: Vec<ConcernedRow> = connection.rows(batch.bind(i64::from(limit)))?;
    if !rows.is_empty() {
        rewrite(connection, settlement, &rows)?;
    }
    // What another transaction holds was left out, and is there still.
    let is_full = rows.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    if !is_full {
        let rest = concerned(settlement, "id, state", " LIMIT 1");
        if connection.first::<ConcernedRow>(rest)?.is_none() {
            delete(connection, settlement.id)?;
        }
    }
    Ok(is_full)
}

/// What waits is rewritten in the order of its index. Without an order PostgreSQL may gather all of it for each batch;
/// SQLite walks along the index by itself.
const fn order(connection: &Connection, concerned: Concerned) -> &'static str {
    match (connection, concerned) {
        (Connection::Postgres(_), Concerned::Waiting { .. }) => " ORDER BY urgency, due_at, id",
        _ => "",
    }
}

/// A selection of the rows that it concerns.
fn concerned(settlement: &Settlement, columns: &str, end: &str) -> Statement {
    match settlement.concerned {
        Concerned::Waiting { generation } => statement(format!(
            "SELECT {columns} FROM deliveries WHERE company_id = ? AND webhook_id = ? AND generation = ? \
             AND due_at IS NOT NULL{end}"
        ))
        .bind(settlement.company)
        .bind(settlement.webhook)
        .bind(generation),
        Concerned::Ended { since, until, .. } => statement(format!(
            "SELECT {columns} FROM deliveries WHERE webhook_id = ? AND state IN ({}) \
             AND kind <> 'test' AND updated_at >= ? AND updated_at <= ? AND company_id = ?{end}",
            those(DeliveryState::recovered)
        ))
        .bind(settlement.webhook)
        .bind(since)
        .bind(until)
        .bind(settlement.company),
    }
}

fn rewrite(
    connection: &mut Connection,
    settlement: &Settlement,
    rows: &[ConcernedRow],
) -> Result<(), Failure> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id.0).collect();
    let (any, ids) = any_id(connection, ids.into_iter());
    let is_open = settlement.state == DeliveryState::Pending;
    let rewrite = if is_open {
        let text = format!(
            "UPDATE deliveries SET state = ?, reason = ?, updated_at = ?, due_at = ?, trigger = ?, retries = 0, \
             lease = NULL, generation = (SELECT generation FROM webhooks WHERE webhooks.id = deliveries.webhook_id) \
             WHERE id {any}"
        );
        statement(text)
            .bind(settlement.state.as_str())
            .bind(settlement.reason.clone())
            .bind(settlement.at)
            .bind(settlement.at)
            .bind(Trigger::Recover.as_str())
    } else {
        let text = format!(
            "UPDATE deliveries SET state = ?, reason = ?, updated_at = ?, due_at = NULL WHERE id {any}"
        );
        statement(text)
            .bind(settlement.state.as_str())
            .bind(settlement.reason.clone())
            .bind(settlement.at)
    };
    connection.execute(rewrite.bind(ids))?;
    if let Concerned::Ended { .. } = settlement.concerned {
        let number = |state: DeliveryState| {
            let number = rows.iter().filter(|row| row.state == state.as_str()).count();
            i64::try_from(number).unwrap_or(i64::MAX)
        };
        let text =
            "UPDATE settlements SET exhausted = exhausted - ?, skipped = skipped - ? WHERE id = ?";
        let update = statement(text)
            .bind(number(DeliveryState::Exhausted))
            .bind(number(DeliveryState::Skipped))
            .bind(settlement.id);
        connection.execute(update)?;
    }
    Ok(())
}
