//! The outbox: events and deliveries that other capabilities write in their own transactions.
//!
//! Every transaction locks webhooks before deliveries. A transaction that both enqueues and cancels calls
//! [`lock_subscribers`] first.

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId, SyncId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    CancelReason, DeliveryState, DisabledReason, Event, EventKind, Trigger,
};

use super::rows::{SubscriberRow, disabled_reason};
use super::settling::{is_moved, is_moved_to, leave};
use crate::columns::{Id, IdRow, IdValue};
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

#[derive(QueryableByName)]
struct CompanyRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(embed)]
    subscriber: SubscriberRow,
}

/// Locks the webhooks of these companies that are subscribed to the kind, as [`lock_subscribers`] does.
pub(crate) fn lock_subscribers_of(
    connection: &mut Connection,
    companies: &[CompanyId],
    kind: EventKind,
) -> Result<Vec<(CompanyId, Subscriber)>, Failure> {
    let lock = Lock::ForKeyShare.on(connection);
    let select = sql!(
        "SELECT company_id, id, events, disabled_reason, generation FROM webhooks WHERE company_id {} ORDER BY id{}",
        any_id(connection, companies.iter().map(|company| company.uuid())),
        lock
    );
    let rows: Vec<CompanyRow> = connection.rows(select)?;
    let subscribed = rows.into_iter().filter(|row| row.subscriber.subscriptions().has(kind));
    subscribed
        .map(|row| Ok((CompanyId::new(row.company_id.0), Subscriber::of(&row.subscriber)?)))
        .collect()
}

/// An event with its deliveries.
pub(crate) struct NewEvent {
    pub(crate) event: Event,
    /// The span that enqueues it.
    pub(crate) traceparent: Option<String>,
    /// One for each webhook that gets it.
    pub(crate) deliveries: Vec<(DeliveryId, Subscriber)>,
}

impl NewEvent {
    /// An event that the running span enqueues.
    pub(crate) fn new(event: Event, deliveries: Vec<(DeliveryId, Subscriber)>) -> Self {
        Self { event, traceparent: contact_hub_traces::traceparent(), deliveries }
    }
}

/// Writes the causes of events, the events, and their deliveries: due at once, or `skipped` if the webhook is off. The
/// number of statements does not depend on how many events there are.
pub(crate) fn enqueue(
    connection: &mut Connection,
    causes: Vec<Statement>,
    events: &[NewEvent],
) -> Result<(), Failure> {
    if events.is_empty() {
        return Ok(());
    }
    let source = Source::of(events)
        .ids("id", |it| it.event.id.uuid())
        .ids("company_id", |it| it.event.company.uuid())
        .texts("kind", |it| it.event.kind.as_str().to_owned())
        .ids("sync_id", |it| it.event.sync_id.map(SyncId::uuid))
        .texts("payload", |it| it.event.payload.clone())
        .moments("created_at", |it| it.event.created_at)
        .optional_texts("traceparent", |it| it.traceparent.clone());
    let written = sql!(
        "INSERT INTO events ({columns}) SELECT {columns} FROM {table}",
        columns = source.names(),
        table = source.table(connection)
    );
    let each = events
        .iter()
        .flat_map(|new| new.deliveries.iter().map(move |(id, it)| (&new.event, *id, *it)));
    let deliveries: Vec<(&Event, DeliveryId, Subscriber)> = each.collect();
    let source = Source::of(&deliveries)
        .ids("company_id", |(event, ..)| event.company.uuid())
        .ids("event_id", |(event, ..)| event.id.uuid())
        .ids("sync_id", |(event, ..)| event.sync_id.map(SyncId::uuid))
        .texts("kind", |(event, ..)| event.kind.as_str().to_owned())
        .moments("created_at", |(event, ..)| event.created_at)
        .moments("updated_at", |(event, ..)| event.created_at)
        .ids("id", |(_, id, _)| id.uuid())
        .ids("webhook_id", |(.., it)| it.webhook.uuid())
        .ints("generation", |(.., it)| i64::from(it.generation))
        .moments("due_at", |(event, _, it)| it.due(event.created_at))
        .texts("state", |(.., it)| it.state().as_str().to_owned())
        .optional_texts("reason", |(.., it)| it.reason());
    let delivered = sql!(
        "INSERT INTO deliveries (trigger, attempts, retries, {columns}) SELECT ?, 0, 0, {columns} FROM {table}",
        columns = source.names(),
        table = source.table(connection)
    );
    let delivered = delivered.bind(Trigger::Scheduled.as_str());
    Ok(execute_together(connection, causes.into_iter().chain([written, delivered]))?)
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
