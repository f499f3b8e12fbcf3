//! The outbox: events and deliveries that other capabilities write in their own transactions.
//!
//! Every transaction locks webhooks before deliveries. A transaction that both enqueues and cancels calls
//! [`lock_subscribers`] first.

use contact_hub_domain::ids::{CompanyId, DeliveryId, SyncId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    CancelReason, DeliveryState, DisabledReason, Event, EventKind, Trigger,
};

use uuid::Uuid;

use super::rows::{IdRow, SubscriberRow, disabled_reason};
use super::settling::{is_moved, is_moved_to, leave};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, execute_together, for_update_by_id};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// A webhook that is subscribed to a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subscriber {
    /// The webhook's id.
    pub(crate) webhook: WebhookId,
    /// Why it is off; `None` while it is on.
    pub(crate) disabled: Option<DisabledReason>,
    /// Its current generation.
    pub(super) generation: i32,
}

impl Subscriber {
    pub(super) fn of(row: &SubscriberRow) -> Result<Self, Failure> {
        let disabled = disabled_reason(row.disabled_reason.as_deref(), row.id.0)?;
        let webhook = WebhookId::new(row.id.0);
        Ok(Self { webhook, disabled, generation: row.generation })
    }

    /// The state of a new delivery.
    pub(super) const fn state(&self) -> DeliveryState {
        match self.disabled {
            None => DeliveryState::Pending,
            Some(_) => DeliveryState::Skipped,
        }
    }

    /// When a new delivery is due.
    pub(super) fn due(&self, at: Timestamp) -> Option<Timestamp> {
        self.disabled.is_none().then_some(at)
    }

    /// Why a new delivery is skipped.
    pub(super) fn reason(&self) -> Option<String> {
        self.disabled.map(|off| off.sentence().to_owned())
    }
}

/// Locks the company's webhooks that are subscribed to the kind, including those that are off. Until the transaction
/// ends they cannot be deleted or switched on or off. Claims and records of successes neither wait for this lock nor
/// delay it.
pub(crate) fn lock_subscribers(
    connection: &mut Connection,
    company: CompanyId,
    kind: EventKind,
) -> Result<Vec<Subscriber>, Failure> {
    let lock = Lock::ForKeyShare.on(connection);
    let select = sql!(
        "SELECT id, events, disabled_reason, generation FROM webhooks WHERE company_id = ? ORDER BY id{}",
        lock
    );
    let rows: Vec<SubscriberRow> = connection.rows(select.bind(company))?;
    let subscribed = rows.into_iter().filter(|row| row.subscriptions().has(kind));
    subscribed.map(|row| Subscriber::of(&row)).collect()
}

/// Writes the causes of an event, the event, and its delivery to each of these webhooks: due at once, or `skipped` if the
/// webhook is off.
pub(crate) fn enqueue(
    connection: &mut Connection,
    causes: Vec<Statement>,
    event: &Event,
    deliveries: &[(DeliveryId, Subscriber)],
) -> Result<(), Failure> {
    let source = Source::of(deliveries)
        .ids("id", |(id, _)| id.uuid())
        .ids("webhook_id", |(_, it)| it.webhook.uuid())
        .ints("generation", |(_, it)| i64::from(it.generation))
        .moments("due_at", |(_, it)| it.due(event.created_at))
        .texts("state", |(_, it)| it.state().as_str().to_owned())
        .optional_texts("reason", |(_, it)| it.reason());
    let insert = sql!(
        "INSERT INTO deliveries (company_id, event_id, sync_id, kind, trigger, attempts, retries, created_at, updated_at, \
         id, webhook_id, generation, due_at, state, reason) SELECT ?, ?, ?, ?, ?, 0, 0, ?, ?, \
         source.id, source.webhook_id, source.generation, source.due_at, source.state, source.reason FROM {}",
        source.table(connection)
    );
    let insert = insert
        .bind(event.company)
        .bind(event.id)
        .bind(event.sync_id)
        .bind(event.kind.as_str())
        .bind(Trigger::Scheduled.as_str())
        .bind(event.created_at)
        .bind(event.created_at);
    Ok(execute_together(connection, causes.into_iter().chain([insertion(event), insert]))?)
}

/// The statement that writes an event.
pub(super) fn insertion(event: &Event) -> Statement {
    let text = "INSERT INTO events (id, company_id, kind, sync_id, payload, created_at, traceparent) \
         VALUES (?, ?, ?, ?, ?, ?, ?)";
    statement(text)
        .bind(event.id)
        .bind(event.company)
        .bind(event.kind.as_str())
        .bind(event.sync_id)
        .bind(event.payload.as_str())
        .bind(event.created_at)
        .bind(contact_hub_traces::traceparent())
}

/// Cancels the open deliveries of these syncs, which are no longer needed. A delivery in progress is not retried, but
/// counts as succeeded if its attempt succeeds.
pub(crate) fn cancel_for_syncs(
    connection: &mut Connection,
    company: CompanyId,
    syncs: &[SyncId],
    reason: CancelReason,
    at: Timestamp,
) -> Result<(), Failure> {
    let any = any_id(connection, syncs.iter().map(|sync| sync.uuid()));
    let lock = for_update_by_id(connection);
    let select = sql!(
        "SELECT id FROM deliveries WHERE company_id = ? AND sync_id {} \
         AND ((due_at IS NOT NULL AND NOT {}) OR {}){}",
        any,
        is_moved(),
        is_moved_to(DeliveryState::Pending),
        lock
    );
    let rows: Vec<IdRow> = connection.rows(select.bind(company))?;
    if rows.is_empty() {
        return Ok(());
    }
    let open: Vec<Uuid> = rows.into_iter().map(|row| row.id.0).collect();
    leave(connection, company, &open)?;
    let any = any_id(connection, open.into_iter());
    let update = sql!(
        "UPDATE deliveries SET state = ?, due_at = NULL, reason = ?, updated_at = ? WHERE id {}",
        any
    );
    let cancel = update.bind(DeliveryState::Cancelled.as_str()).bind(reason.sentence()).bind(at);
    connection.execute(cancel)?;
    Ok(())
}
