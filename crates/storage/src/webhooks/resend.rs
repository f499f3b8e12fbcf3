//! Set deliveries going again.

use contact_hub_domain::ids::{CompanyId, DeliveryId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveryState, EventKind, ResendOutcome, Trigger};

use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::save::stays;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

pub(super) fn resend(
    connection: &mut Connection,
    company: CompanyId,
    id: DeliveryId,
    at: Timestamp,
) -> Result<ResendOutcome, Failure> {
    let text = format!("SELECT {DELIVERY_COLUMNS} FROM deliveries WHERE id = ? AND company_id = ?");
    let row: Option<DeliveryRow> = connection.first(statement(text).bind(id).bind(company))?;
    let Some(found) = row.map(DeliveryRow::into_delivery).transpose()? else {
        return Ok(ResendOutcome::NotFound);
    };
    if !stays(connection, company, found.webhook_id)? {
        return Ok(ResendOutcome::WebhookGone);
    }
    // One that is in progress only learns who asked; its state is settled when the running attempt is recorded.
    let text = format!(
        "UPDATE deliveries SET trigger = ?, updated_at = ?, \
         retries = CASE WHEN state = 'in_progress' THEN retries ELSE 0 END, \
         due_at = CASE WHEN state = 'in_progress' THEN due_at ELSE ? END, \
         lease = CASE WHEN state = 'in_progress' THEN lease END, \
         reason = NULL, state = CASE WHEN state = 'in_progress' THEN state ELSE 'pending' END \
         WHERE id = ? AND company_id = ? RETURNING {DELIVERY_COLUMNS}"
    );
    let update =
        statement(text).bind(Trigger::Resend.as_str()).bind(at).bind(at).bind(id).bind(company);
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
    if !stays(connection, company, webhook)? {
        return Ok(None);
    }
    let text = "UPDATE deliveries SET state = ?, trigger = ?, retries = 0, due_at = ?, lease = NULL, reason = NULL, \
         updated_at = ? WHERE company_id = ? AND webhook_id = ? AND state IN (?, ?) AND updated_at >= ? AND kind <> ?";
    let update = statement(text)
        .bind(DeliveryState::Pending.as_str())
        .bind(Trigger::Recover.as_str())
        .bind(at)
        .bind(at)
        .bind(company)
        .bind(webhook)
        .bind(DeliveryState::Exhausted.as_str())
        .bind(DeliveryState::Skipped.as_str())
        .bind(since)
        .bind(EventKind::Test.as_str());
    let recovered = connection.execute(update)?;
    Ok(Some(u64::try_from(recovered).unwrap_or(u64::MAX)))
}
