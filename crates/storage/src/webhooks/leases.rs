//! Leases: the deliveries in progress.
//!
//! A delivery is in progress while it is open and has a row in `delivery_leases`. Its own row is not changed by a claim
//! and keeps the state that it will have when it is released. A delivery that was closed during an attempt
//! keeps its lease, so that the outcome can still be recorded.

use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId, LeaseId, WebhookId};
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, rows_of_each};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// The condition that a delivery has a lease, also one that has ended. OFFSET keeps PostgreSQL from joining all leases
/// with all deliveries: it looks up one after the other.
pub(super) const HAS_LEASE: &str =
    "EXISTS (SELECT 1 FROM delivery_leases WHERE delivery_id = deliveries.id LIMIT 1 OFFSET 0)";

/// The condition that a delivery has a lease that has not ended at this moment.
pub(super) fn is_held(now: Timestamp) -> Statement {
    let text = "EXISTS (SELECT 1 FROM delivery_leases WHERE delivery_id = deliveries.id AND until > ? LIMIT 1 OFFSET 0)";
    statement(text).bind(now)
}

/// The deliveries in progress of a company, after FROM.
pub(super) fn running(connection: &Connection, company: CompanyId) -> Statement {
    let held = statement("SELECT delivery_id FROM delivery_leases WHERE company_id = ?");
    let is_open = "deliveries.id = owners.delivery_id AND deliveries.due_at IS NOT NULL";
    let index = "sqlite_autoindex_deliveries_1";
    rows_of_each(connection, held.bind(company), "deliveries", index, statement(is_open))
}

/// Ends leases without an attempt: the deliveries are due at once. Leases that no longer hold are left alone.
pub(super) fn release(
    connection: &mut Connection,
    held: &[(DeliveryId, LeaseId)],
) -> Result<(), Failure> {
    let deletion = deletion(connection, held);
    connection.execute(deletion)?;
    Ok(())
}

/// The statement that ends these leases.
pub(super) fn deletion(connection: &Connection, held: &[(DeliveryId, LeaseId)]) -> Statement {
    let source =
        Source::of(held).ids("id", |(id, _)| id.uuid()).ids("lease", |(_, lease)| lease.uuid());
    sql!(
        "DELETE FROM delivery_leases WHERE (delivery_id, lease) IN (SELECT id, lease FROM {})",
        source.table(connection)
    )
}

/// Deletes the ended leases of closed deliveries that are restarted; returns how many. A lease that has not ended belongs to
/// an attempt that still runs: the delivery is in progress again, and settled when the attempt, now a former one, is recorded.
pub(super) fn restart(
    connection: &mut Connection,
    deliveries: impl Iterator<Item = Uuid> + Clone,
    now: Timestamp,
) -> Result<usize, Failure> {
    let any = any_id(connection, deliveries.clone());
    let delete = sql!("DELETE FROM delivery_leases WHERE delivery_id {} AND until <= ?", any);
    let deleted = connection.execute(delete.bind(now))?;
    let any = any_id(connection, deliveries);
    let update = sql!("UPDATE delivery_leases SET is_former = ? WHERE delivery_id {}", any);
    connection.execute(update.bind(true))?;
    Ok(deleted)
}

/// Marks the leases of a webhook that begins anew: the failures of attempts that still run say nothing about its receiver.
pub(super) fn make_former(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
) -> Result<(), Failure> {
    let text = "UPDATE delivery_leases SET is_former = ? WHERE company_id = ? AND webhook_id = ?";
    connection.execute(statement(text).bind(true).bind(company).bind(webhook))?;
    Ok(())
}

/// Ends the leases of these instances; returns how many. Those whose outcome is just being recorded are skipped.
pub(super) fn end_of_owners(
    connection: &mut Connection,
    owners: impl Iterator<Item = Uuid>,
) -> Result<usize, Failure> {
    let lock = Lock::SkipLocked.on(connection);
    let delete = sql!(
        "DELETE FROM delivery_leases WHERE delivery_id IN \
         (SELECT delivery_id FROM delivery_leases WHERE owner {}{})",
        any_id(connection, owners),
        lock
    );
    Ok(connection.execute(delete)?)
}

/// Deletes the leases that ended before this moment. Only those of closed deliveries remain that long, when their
/// attempts were never recorded.
pub(super) fn purge(connection: &mut Connection, before: Timestamp) -> Result<(), Failure> {
    connection.execute(statement("DELETE FROM delivery_leases WHERE until < ?").bind(before))?;
    Ok(())
}
