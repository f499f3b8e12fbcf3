//! Resend deliveries.

use contact_hub_domain::ids::{CompanyId, DeliveryId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveryState, ResendOutcome, Trigger};

use super::rows::{DELIVERY_COLUMNS, DeliveryRow, IdRow};
use super::save::stays;
use super::settling::{self, leave};
use super::transitions::{after, those};
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
    // For one that is in progress only the requester is written; its state is settled when the running attempt is
    // recorded.
    let update = sql!(
        "UPDATE deliveries SET trigger = ?, updated_at = ?, \
         retries = CASE WHEN state IN ({resent}) THEN 0 ELSE retries END, \
         due_at = CASE WHEN state IN ({resent}) THEN ? ELSE due_at END, \
         lease = CASE WHEN state IN ({resent}) THEN NULL ELSE lease END, \
         generation = (SELECT generation FROM webhooks WHERE webhooks.id = deliveries.webhook_id), \
         reason = NULL, state = {after} WHERE id = ? AND company_id = ? RETURNING {columns}",
        resent = those(DeliveryState::resent),
        after = after(DeliveryState::resent),
        columns = DELIVERY_COLUMNS,
    );
    let update = update.bind(Trigger::Resend.as_str()).bind(at).bind(at).bind(id).bind(company);
    let row: Option<DeliveryRow> = connection.first(update)?;
    let resent = row.map(DeliveryRow::into_delivery).transpose()?;
    Ok(resent.map_or(ResendOutcome::NotFound, ResendOutcome::Accepted))
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
