//! Many events at once, of any companies, by a number of statements that does not depend on how many there are.

use diesel::QueryableByName;

use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::webhooks::{Event, EventKind, Trigger};

use super::enqueue::Subscriber;
use super::rows::SubscriberRow;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, execute_together};
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct CompanyRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(embed)]
    subscriber: SubscriberRow,
}

/// Locks the webhooks of these companies that are subscribed to the kind, as `lock_subscribers` does.
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

/// Writes events that are of no sync, and the deliveries of each.
pub(crate) fn enqueue_all(
    connection: &mut Connection,
    events: &[(Event, Vec<(DeliveryId, Subscriber)>)],
) -> Result<(), Failure> {
    if events.is_empty() {
        return Ok(());
    }
    let traceparent = contact_hub_traces::traceparent();
    let source = Source::of(events)
        .ids("id", |(event, _)| event.id.uuid())
        .ids("company_id", |(event, _)| event.company.uuid())
        .texts("kind", |(event, _)| event.kind.as_str().to_owned())
        .texts("payload", |(event, _)| event.payload.clone())
        .moments("created_at", |(event, _)| event.created_at);
    let written = sql!(
        "INSERT INTO events (id, company_id, kind, payload, created_at, traceparent) SELECT source.id, \
         source.company_id, source.kind, source.payload, source.created_at, ? FROM {}",
        source.table(connection)
    );
    let written = written.bind(traceparent);
    let each =
        events.iter().flat_map(|(event, to)| to.iter().map(move |(id, it)| (event, *id, *it)));
    let deliveries: Vec<(&Event, DeliveryId, Subscriber)> = each.collect();
    let source = Source::of(&deliveries)
        .ids("company_id", |(event, ..)| event.company.uuid())
        .ids("event_id", |(event, ..)| event.id.uuid())
        .texts("kind", |(event, ..)| event.kind.as_str().to_owned())
        .moments("created_at", |(event, ..)| event.created_at)
        .ids("id", |(_, id, _)| id.uuid())
        .ids("webhook_id", |(.., it)| it.webhook.uuid())
        .ints("generation", |(.., it)| i64::from(it.generation))
        .moments("due_at", |(event, _, it)| it.due(event.created_at))
        .texts("state", |(.., it)| it.state().as_str().to_owned())
        .optional_texts("reason", |(.., it)| it.reason());
    let delivered = sql!(
        "INSERT INTO deliveries (company_id, event_id, kind, trigger, attempts, retries, created_at, updated_at, \
         id, webhook_id, generation, due_at, state, reason) SELECT source.company_id, source.event_id, source.kind, ?, \
         0, 0, source.created_at, source.created_at, source.id, source.webhook_id, source.generation, source.due_at, \
         source.state, source.reason FROM {}",
        source.table(connection)
    );
    let delivered = delivered.bind(Trigger::Scheduled.as_str());
    Ok(execute_together(connection, [written, delivered])?)
}
