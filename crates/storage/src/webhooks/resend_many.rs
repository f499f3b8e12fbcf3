//! Resend many deliveries in one transaction.

use std::collections::HashSet;

use diesel::QueryableByName;
use diesel::sql_types::Bool;
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveryState, MAX_RESENT, ResendChoice, Resendable, Trigger};

use super::leases::restart;
use super::search::newest_of;
use super::settling::leave;
use super::transitions::after;
use crate::columns::{Id, IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, any_id, any_selected};
use crate::failure::Failure;
use crate::statement::sql;

/// The deliveries of a choice whose webhooks were not deleted, the newest first.
pub(super) fn resendable(
    connection: &mut Connection,
    company: CompanyId,
    choice: &ResendChoice,
) -> Result<Resendable, Failure> {
    let (found, ids) = match choice {
        ResendChoice::These(ids) => (None, ids.iter().copied().take(MAX_RESENT).collect()),
        ResendChoice::Matching(search) => {
            let (total, ids) = newest_of(connection, company, search, MAX_RESENT)?;
            (Some(total), ids)
        }
    };
    let any = any_id(connection, ids.iter().map(|id: &DeliveryId| id.uuid()));
    let select = sql!(
        "SELECT id, EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = deliveries.webhook_id) AS has_webhook \
         FROM deliveries WHERE id {} AND company_id = ? ORDER BY id DESC",
        any
    );
    let rows: Vec<FoundRow> = connection.rows(select.bind(company))?;
    let found = found.unwrap_or_else(|| u64::try_from(rows.len()).unwrap_or(u64::MAX));
    let ids = rows.into_iter().filter(|row| row.has_webhook);
    Ok(Resendable { found, ids: ids.map(|row| DeliveryId::new(row.id.0)).collect() })
}

#[derive(QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Bool)]
    has_webhook: bool,
}

#[derive(QueryableByName)]
struct LockedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Bool)]
    is_open: bool,
}

/// Restarts these deliveries, and returns how many. Those whose webhooks were deleted are left out.
pub(super) fn resend_many(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[DeliveryId],
    at: Timestamp,
) -> Result<u64, Failure> {
    let webhooks = lock_webhooks(connection, company, ids)?;
    let all: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    leave(connection, company, &all)?;
    let any = any_id(connection, all.into_iter());
    let lock = Lock::ForUpdate.on(connection);
    let select = sql!(
        "SELECT id, webhook_id, due_at IS NOT NULL AS is_open FROM deliveries \
         WHERE id {} AND company_id = ? ORDER BY id{}",
        any,
        lock
    );
    let mut rows: Vec<LockedRow> = connection.rows(select.bind(company))?;
    rows.retain(|row| webhooks.contains(&row.webhook_id.0));
    let update = sql!(
        "UPDATE deliveries SET trigger = ?, updated_at = ?, retries = 0, due_at = ?, \
         generation = (SELECT generation FROM webhooks WHERE webhooks.id = deliveries.webhook_id), \
         reason = NULL, state = {after} WHERE id {any} AND company_id = ?",
        after = after(DeliveryState::resent),
        any = any_id(connection, rows.iter().map(|row| row.id.0)),
    );
    let update = update.bind(Trigger::Resend.as_str()).bind(at).bind(at).bind(company);
    let resent = connection.execute(update)?;
    restart(connection, rows.iter().filter(|row| !row.is_open).map(|row| row.id.0), at)?;
    Ok(u64::try_from(resent).unwrap_or(u64::MAX))
}

/// Locks the webhooks of these deliveries, which then cannot be deleted until the transaction ends.
fn lock_webhooks(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[DeliveryId],
) -> Result<HashSet<Uuid>, Failure> {
    let any = any_id(connection, ids.iter().map(|id| id.uuid()));
    let lock = Lock::ForKeyShare.on(connection);
    let select = sql!(
        "SELECT id FROM webhooks WHERE id {} AND company_id = ? ORDER BY id{}",
        any_selected(connection, sql!("SELECT webhook_id FROM deliveries WHERE id {}", any)),
        lock
    );
    let rows: Vec<IdRow> = connection.rows(select.bind(company))?;
    Ok(rows.into_iter().map(|row| row.id.0).collect())
}
