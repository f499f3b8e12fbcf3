//! Record a test event that was sent.

use contact_hub_domain::webhooks::SentTest;

use super::attempts::{self, NewAttempt};
use super::enqueue;
use super::rows::stored_count;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

pub(super) fn record_test_delivery(
    connection: &mut Connection,
    sent: &SentTest,
) -> Result<(), Failure> {
    connection.execute(enqueue::insertion(&sent.event))?;
    let delivery = &sent.delivery;
    let text = "INSERT INTO deliveries (id, company_id, event_id, webhook_id, sync_id, kind, state, trigger, attempts, \
         retries, reason, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)";
    let insert = statement(text)
        .bind(delivery.id)
        .bind(delivery.company)
        .bind(delivery.event_id)
        .bind(delivery.webhook_id)
        .bind(delivery.sync_id)
        .bind(delivery.kind.as_str())
        .bind(delivery.state.as_str())
        .bind(sent.attempt.trigger.as_str())
        .bind(stored_count(delivery.attempts))
        .bind(delivery.reason.clone())
        .bind(delivery.created_at)
        .bind(delivery.updated_at);
    connection.execute(insert)?;
    let company = delivery.company;
    let new = NewAttempt { company, delivery: delivery.id, attempt: &sent.attempt };
    connection.execute(attempts::insertion(connection, &[new]))?;
    Ok(())
}
