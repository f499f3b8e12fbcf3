//! Closes the open deliveries of a webhook that was switched off or deleted.

use diesel::QueryableByName;
use diesel::sql_types::Integer;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{CancelReason, DeliveryState, DisabledReason};

use super::batch::settle_some;
use super::settlement::{Scope, Settlement, insert, lock_of_webhook};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::webhooks::followers;

#[derive(QueryableByName)]
struct GenerationRow {
    #[diesel(sql_type = Integer)]
    generation: i32,
}

/// Closes the open deliveries of a webhook that was switched off: the locked webhook begins a new generation. A
/// running attempt keeps its lease, so that its outcome can still be recorded.
pub(in crate::webhooks) fn close_switched_off(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    reason: DisabledReason,
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE webhooks SET generation = generation + 1 WHERE id = ? AND company_id = ? \
         RETURNING generation - 1 AS generation";
    let row: Option<GenerationRow> =
        connection.first(statement(text).bind(webhook).bind(company))?;
    let Some(GenerationRow { generation }) = row else { return Ok(()) };
    followers::end(connection, webhook)?;
    let (state, reason) = (DeliveryState::Skipped, Some(reason.sentence().to_owned()));
    let scope = Scope::Waiting { generation };
    close(connection, Settlement { id: 0, company, webhook, scope, state, reason, at })
}

/// Deletes a webhook and cancels its open deliveries; returns false when there is none.
pub(in crate::webhooks) fn close_deleted(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    at: Timestamp,
) -> Result<bool, Failure> {
    let text = "DELETE FROM webhooks WHERE id = ? AND company_id = ? RETURNING generation";
    let row: Option<GenerationRow> =
        connection.first(statement(text).bind(webhook).bind(company))?;
    let Some(GenerationRow { generation }) = row else { return Ok(false) };
    let (state, reason) =
        (DeliveryState::Cancelled, Some(CancelReason::WebhookDeleted.sentence().to_owned()));
    let scope = Scope::Waiting { generation };
    close(connection, Settlement { id: 0, company, webhook, scope, state, reason, at })?;
    Ok(true)
}

fn close(connection: &mut Connection, mut new: Settlement) -> Result<(), Failure> {
    let unfinished = lock_of_webhook(connection, new.company, new.webhook)?;
    // The rows that it closes must not fall within the times of an unfinished settlement.
    new.at = unfinished.iter().fold(new.at, |at, before| at.after(before.at));
    let text = "UPDATE deliveries SET state = ?, due_at = NULL, reason = ?, updated_at = ? \
         WHERE due_at IS NOT NULL AND id IN \
         (SELECT delivery_id FROM delivery_leases WHERE company_id = ? AND webhook_id = ?)";
    let running = statement(text)
        .bind(new.state.as_str())
        .bind(new.reason.clone())
        .bind(new.at)
        .bind(new.company)
        .bind(new.webhook);
    connection.execute(running)?;
    if unfinished.iter().any(|before| before.state == DeliveryState::Pending) {
        let text = "UPDATE settlements SET state = ?, reason = ?, at = ? \
             WHERE company_id = ? AND webhook_id = ? AND state = 'pending'";
        let again = statement(text)
            .bind(new.state.as_str())
            .bind(new.reason.clone())
            .bind(new.at)
            .bind(new.company)
            .bind(new.webhook);
        connection.execute(again)?;
    }
    new.id = insert(connection, &new)?;
    settle_some(connection, &new)
}
