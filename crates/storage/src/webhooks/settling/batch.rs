//! Rewrites the rows that a settlement covers, a batch at a time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{CancelReason, DeliveryState, Trigger};

use super::settlement::{Scope, Settlement, delete, lock_some};
use super::{appended_counts, erase};
use crate::columns::{Id, IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, unindexed};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::sync;
use crate::webhooks::leases;
use crate::webhooks::transitions::those;

/// How many settlements a batch works on.
const TOGETHER: i64 = 20;

/// How many rows the transaction of a change rewrites itself. Most changes cover fewer rows.
const AT_ONCE: u32 = 200;

#[derive(QueryableByName)]
struct ConcernedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Id>)]
    sync_id: Option<IdValue>,
}

/// How many rows are rewritten between two checks of the time. PostgreSQL takes more: others write meanwhile, and
/// each step reads past the rows that the transaction has already rewritten.
const fn step(connection: &Connection) -> u32 {
    match connection {
        Connection::Postgres(_) => 200,
        Connection::Sqlite(_) => 50,
    }
}

/// Runs one batch of any settling work, and stops early once this time has passed; returns false when there is none.
pub(in crate::webhooks) fn settle(
    connection: &mut Connection,
    limit: u32,
    within: Duration,
) -> Result<bool, Failure> {
    let settlements = lock_some(connection, TOGETHER)?;
    if !settlements.is_empty() {
        settle_in_turn(connection, settlements, limit, within)?;
        return Ok(true);
    }
    if let Some(erasure) = erase::lock_any(connection)? {
        let mut after = erasure.after;
        in_steps(connection, limit, within, |connection, step| {
            erase::erase(connection, &erasure, &mut after, step)
        })?;
        return Ok(true);
    }
    appended_counts::sum_up(connection)
}

/// Rewrites rows of these settlements in turn, a step of each, until no rows are left, enough are rewritten, or the time
/// has passed. A settlement counts as a row, as it costs statements without rows too.
fn settle_in_turn(
    connection: &mut Connection,
    settlements: Vec<Settlement>,
    limit: u32,
    within: Duration,
) -> Result<(), Failure> {
    let (started, step) = (Instant::now(), step(connection));
    let (mut turns, mut left) = (VecDeque::from(settlements), limit);
    while let Some(settlement) = turns.pop_front() {
        let asked = left.min(step);
        let rewritten = settle_batch(connection, &settlement, asked)?;
        left = left.saturating_sub(rewritten.max(1));
        if left == 0 || started.elapsed() >= within {
            return Ok(());
        }
        if rewritten >= asked {
            turns.push_back(settlement);
        }
    }
    Ok(())
}

/// Runs steps of at most this many rows each, until a step finds no more rows, enough rows are done, or the time has
/// passed.
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

/// Rewrites the first rows that a new settlement covers.
pub(super) fn settle_some(
    connection: &mut Connection,
    settlement: &Settlement,
) -> Result<(), Failure> {
    settle_batch(connection, settlement, AT_ONCE)?;
    Ok(())
}

/// Rewrites the rows of deliveries that a new recovery covers and that are still being attempted. So they are in progress at
/// once.
pub(super) fn settle_running(
    connection: &mut Connection,
    settlement: &Settlement,
    (since, until): (Timestamp, Timestamp),
) -> Result<(), Failure> {
    let leases =
        "SELECT delivery_id AS id FROM delivery_leases WHERE company_id = ? AND webhook_id = ?";
    let leases = statement(leases).bind(settlement.company).bind(settlement.webhook);
    let attempted: Vec<IdRow> = connection.rows(leases)?;
    if attempted.is_empty() {
        return Ok(());
    }
    let select = sql!(
        "SELECT id, state, sync_id FROM deliveries WHERE id {ids} AND {unindexed}company_id = ? AND {unindexed}state IN ({states}) \
         AND kind <> 'test' AND {unindexed}updated_at >= ? AND {unindexed}updated_at <= ? ORDER BY id{lock}",
        ids = any_id(connection, attempted.iter().map(|row| row.id.0)),
        unindexed = unindexed(connection),
        states = those(DeliveryState::recovered),
        lock = Lock::SkipLocked.on(connection),
    );
    let rows: Vec<ConcernedRow> =
        connection.rows(select.bind(settlement.company).bind(since).bind(until))?;
    if rows.is_empty() { Ok(()) } else { rewrite(connection, settlement, &rows) }
}

/// Rewrites up to this many rows, and returns how many there were.
fn settle_batch(
    connection: &mut Connection,
    settlement: &Settlement,
    limit: u32,
) -> Result<u32, Failure> {
    let order = order(connection, settlement.scope);
    let end = sql!("{} LIMIT ?{}", order, Lock::SkipLocked.on(connection));
    let batch = select_rows(settlement, end);
    let rows: Vec<ConcernedRow> = connection.rows(batch.bind(i64::from(limit)))?;
    if !rows.is_empty() {
        rewrite(connection, settlement, &rows)?;
    }
    // Rows that another transaction has locked were skipped, and remain.
    let rewritten = u32::try_from(rows.len()).unwrap_or(limit);
    if rewritten < limit {
        let rest = select_rows(settlement, statement(" LIMIT 1"));
        if connection.first::<ConcernedRow>(rest)?.is_none() {
            delete(connection, settlement.id)?;
        }
    }
    Ok(rewritten)
}

/// Waiting deliveries are rewritten in the order of their index. Without ORDER BY, PostgreSQL may gather all of them
/// for each batch; SQLite walks along the index by itself.
const fn order(connection: &Connection, scope: Scope) -> &'static str {
    match (connection, scope) {
        (Connection::Postgres(_), Scope::Waiting { .. }) => " ORDER BY urgency, due_at, id",
        _ => "",
    }
}

/// Selects the rows that it covers.
fn select_rows(settlement: &Settlement, end: Statement) -> Statement {
    match settlement.scope {
        Scope::Waiting { generation } => sql!(
            "SELECT id, state, sync_id FROM deliveries WHERE company_id = ? AND webhook_id = ? AND generation = ? \
             AND due_at IS NOT NULL{}",
            end,
        )
        .bind(settlement.company)
        .bind(settlement.webhook)
        .bind(generation),
        Scope::Ended { since, until, .. } => sql!(
            "SELECT id, state, sync_id FROM deliveries WHERE webhook_id = ? AND state IN ({}) \
             AND kind <> 'test' AND updated_at >= ? AND updated_at <= ? AND company_id = ?{}",
            those(DeliveryState::recovered),
            end,
        )
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
    if settlement.state == DeliveryState::Pending {
        restart(connection, settlement.at, rows)?;
    } else {
        let update = sql!(
            "UPDATE deliveries SET state = ?, reason = ?, updated_at = ?, due_at = NULL WHERE id {}",
            any_id(connection, rows.iter().map(|row| row.id.0)),
        );
        let update = update.bind(settlement.state.as_str()).bind(settlement.reason.clone());
        connection.execute(update.bind(settlement.at))?;
    }
    if let Scope::Ended { .. } = settlement.scope {
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

/// Restarts the deliveries that still have a purpose, and cancels those whose sync was closed after they ended.
fn restart(
    connection: &mut Connection,
    at: Timestamp,
    rows: &[ConcernedRow],
) -> Result<(), Failure> {
    let syncs: Vec<Uuid> = rows.iter().filter_map(|row| Some(row.sync_id?.0)).collect();
    let obsolete = sync::obsolete(connection, &syncs)?;
    let (mut cancelled, mut restarted) = (Vec::new(), Vec::new());
    for row in rows {
        match row.sync_id.and_then(|sync| obsolete.get(&sync.0)) {
            Some(reason) => cancelled.push((row.id.0, *reason)),
            None => restarted.push(row.id.0),
        }
    }
    if !cancelled.is_empty() {
        cancel(connection, at, &cancelled)?;
    }
    if restarted.is_empty() {
        return Ok(());
    }
    leases::restart(connection, restarted.iter().copied(), at)?;
    let update = sql!(
        "UPDATE deliveries SET state = ?, reason = NULL, updated_at = ?, due_at = ?, trigger = ?, retries = 0, \
         generation = (SELECT generation FROM webhooks WHERE webhooks.id = deliveries.webhook_id) \
         WHERE id {}",
        any_id(connection, restarted.iter().copied()),
    );
    let update = update.bind(DeliveryState::Pending.as_str()).bind(at).bind(at);
    connection.execute(update.bind(Trigger::Recover.as_str()))?;
    Ok(())
}

fn cancel(
    connection: &mut Connection,
    at: Timestamp,
    cancelled: &[(Uuid, CancelReason)],
) -> Result<(), Failure> {
    let source = Source::of(cancelled)
        .ids("id", |(id, _)| *id)
        .texts("reason", |(_, reason)| reason.sentence().to_owned());
    let update = sql!(
        "UPDATE deliveries SET state = ?, reason = source.reason, updated_at = ?, due_at = NULL \
         FROM {} WHERE deliveries.id = source.id",
        source.table(connection),
    );
    connection.execute(update.bind(DeliveryState::Cancelled.as_str()).bind(at))?;
    Ok(())
}
