//! Resend deliveries.

use contact_hub_domain::ids::{CompanyId, DeliveryId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveryState, ResendOutcome, Trigger};

use super::leases::restart;
use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::save::stays;
use super::settling::{self, leave};
use super::transitions::after;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::sql;

pub(super) fn resend(
    connection: &mut Connection,
    company: CompanyId,
    id: DeliveryId,
    at: Timestamp,
) -> Result<ResendOutcome, Failure> {
    let select =
        sql!("SELECT {} FROM deliveries WHERE id = ? AND company_id = ?", DELIVERY_COLUMNS);
    let row: Option<DeliveryRow> = connection.first(select.bind(id).bind(company))?;
    let Some(found) = row.map(DeliveryRow::into_delivery).transpose()? else {
        return Ok(ResendOutcome::NotFound);
    };
    if !stays(connection, company, found.webhook_id)? {
        return Ok(ResendOutcome::WebhookGone);
    }
    leave(connection, company, &[id.uuid()])?;
    // One that is being attempted keeps its lease, and is settled when the attempt is recorded.
    let update = sql!(
        "UPDATE deliveries SET trigger = ?, updated_at = ?, retries = 0, due_at = ?, \
         generation = (SELECT generation FROM webhooks WHERE webhooks.id = deliveries.webhook_id), \
         reason = NULL, state = {after} WHERE id = ? AND company_id = ? RETURNING {columns}",
        after = after(DeliveryState::resent),
        columns = DELIVERY_COLUMNS,
    );
    let update = update.bind(Trigger::Resend.as_str()).bind(at).bind(at).bind(id).bind(company);
    let row: Option<DeliveryRow> = connection.first(update)?;
    let Some(mut row) = row else { return Ok(ResendOutcome::NotFound) };
    if !found.state.is_open() && restart(connection, std::iter::once(id.uuid()), at)? > 0 {
        row.claimed_at = None;
    }
    Ok(ResendOutcome::Accepted(row.into_delivery()?))
}

pub(super) fn recover(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    since: Timestamp,
    at: Timestamp,
) -> Result<Option<u64>, Failure> {
    if !is_locked(connection, company, webhook)? {
        return Ok(None);
    }
    settling::recover(connection, company, webhook, since, at).map(Some)
}

/// Locks the webhook until the transaction ends; returns whether the company has it.
fn is_locked(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
) -> Result<bool, Failure> {
    let lock = Lock::ForNoKeyUpdate.on(connection);
    let select = sql!("SELECT id FROM webhooks WHERE id = ? AND company_id = ?{}", lock);
    let row: Option<IdRow> = connection.first(select.bind(webhook).bind(company))?;
    Ok(row.is_some())
}
