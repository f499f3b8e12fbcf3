//! Closes the open deliveries of webhooks that were switched off or deleted.

use diesel::QueryableByName;
use diesel::sql_types::Integer;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{CancelReason, DeliveryState, DisabledReason};

use super::batch::settle_some;
use super::settlement::{Scope, Settlement, insert, insert_all, lock_of_webhooks};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// A webhook that was switched off.
pub(in crate::webhooks) struct SwitchedOff {
    pub(in crate::webhooks) company: CompanyId,
    pub(in crate::webhooks) webhook: WebhookId,
    pub(in crate::webhooks) reason: DisabledReason,
}

/// A webhook, with the generation that has ended.
#[derive(QueryableByName)]
struct ClosedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Integer)]
    generation: i32,
}

/// Closes the open deliveries of webhooks that were switched off: each of the locked webhooks begins a new generation.
/// A running attempt keeps its lease, so that its outcome can still be recorded. The number of statements does not
/// depend on how many webhooks there are.
pub(in crate::webhooks) fn close_switched_off(
    connection: &mut Connection,
    off: &[SwitchedOff],
    at: Timestamp,
) -> Result<(), Failure> {
    if off.is_empty() {
        return Ok(());
    }
    let source = Source::of(off)
        .ids("owner_id", |off| off.company.uuid())
        .ids("webhook_id", |off| off.webhook.uuid());
    let begin = sql!(
        "UPDATE webhooks SET generation = generation + 1 FROM {} \
         WHERE webhooks.id = source.webhook_id AND webhooks.company_id = source.owner_id \
         RETURNING id, generation - 1 AS generation",
        source.table(connection)
    );
    let rows: Vec<ClosedRow> = connection.rows(begin)?;
    if rows.is_empty() {
        return Ok(());
    }
    let closed = rows.iter().filter_map(|row| {
        let off = off.iter().find(|off| off.webhook.uuid() == row.id.0)?;
        Some(Settlement {
            id: 0,
            company: off.company,
            webhook: off.webhook,
            scope: Scope::Waiting { generation: row.generation },
            state: DeliveryState::Skipped,
            reason: Some(off.reason.sentence().to_owned()),
            at,
        })
    });
    close(connection, closed.collect())
}

/// Deletes a webhook and cancels its open deliveries; returns false when there is none.
pub(in crate::webhooks) fn close_deleted(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    at: Timestamp,
) -> Result<bool, Failure> {
    let text = "DELETE FROM webhooks WHERE id = ? AND company_id = ? RETURNING id, generation";
    let row: Option<ClosedRow> = connection.first(statement(text).bind(webhook).bind(company))?;
    let Some(ClosedRow { generation, .. }) = row else { return Ok(false) };
    let (state, reason) =
        (DeliveryState::Cancelled, Some(CancelReason::WebhookDeleted.sentence().to_owned()));
    let scope = Scope::Waiting { generation };
    close(connection, vec![Settlement { id: 0, company, webhook, scope, state, reason, at }])?;
    Ok(true)
}

fn close(connection: &mut Connection, mut new: Vec<Settlement>) -> Result<(), Failure> {
    let webhooks: Vec<_> = new.iter().map(|one| (one.company, one.webhook)).collect();
    let unfinished = lock_of_webhooks(connection, &webhooks)?;
    // The rows that one closes must not fall within the times of an unfinished settlement.
    for one in &mut new {
        let own = unfinished.iter().filter(|before| before.webhook == one.webhook);
        one.at = own.fold(one.at, |at, before| at.after(before.at));
    }
    close_running(connection, &new)?;
    if unfinished.iter().any(|before| before.state == DeliveryState::Pending) {
        close_recovered(connection, &new)?;
    }
    match new.as_mut_slice() {
        [one] => {
            one.id = insert(connection, one)?;
            settle_some(connection, one)
        }
        // Batches rewrite their rows.
        many => insert_all(connection, many),
    }
}

/// Closes the deliveries that have a lease.
fn close_running(connection: &mut Connection, new: &[Settlement]) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE deliveries SET state = source.state, due_at = NULL, reason = source.reason, updated_at = source.at \
         FROM {} JOIN delivery_leases ON delivery_leases.company_id = source.company_id \
         AND delivery_leases.webhook_id = source.webhook_id \
         WHERE deliveries.id = delivery_leases.delivery_id AND deliveries.due_at IS NOT NULL",
        ends(new).table(connection)
    );
    connection.execute(update)?;
    Ok(())
}

/// Also closes the deliveries that unfinished settlements recover.
fn close_recovered(connection: &mut Connection, new: &[Settlement]) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE settlements SET state = source.state, reason = source.reason, at = source.at FROM {} \
         WHERE settlements.company_id = source.company_id AND settlements.webhook_id = source.webhook_id \
         AND settlements.state = 'pending'",
        ends(new).table(connection)
    );
    connection.execute(update)?;
    Ok(())
}

/// How settlements end the deliveries of their webhooks.
fn ends(new: &[Settlement]) -> Source<'_, Settlement> {
    Source::of(new)
        .ids("company_id", |one| one.company.uuid())
        .ids("webhook_id", |one| one.webhook.uuid())
        .texts("state", |one| one.state.as_str().to_owned())
        .optional_texts("reason", |one| one.reason.clone())
        .moments("at", |one| one.at)
}
