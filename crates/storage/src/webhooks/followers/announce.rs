//! Make the next event of a follower.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, SmallInt, Text};
use uuid::Uuid;

use contact_hub_domain::changes::{ChangeEntry, Position};
use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::webhooks::{
    Announced, Announcement, ChangesBatch, EventKind, Follower, MAX_ENTRIES, Subscriptions,
};

use crate::changes;
use crate::columns::{Id, IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::webhooks::enqueue::{NewEvent, Subscriber, enqueue};
use crate::webhooks::rows::disabled_reason;

#[derive(QueryableByName)]
struct CursorRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = BigInt)]
    position: i64,
    #[diesel(sql_type = Integer)]
    ordinal: i32,
    #[diesel(sql_type = Nullable<Id>)]
    delivery_id: Option<IdValue>,
    #[diesel(sql_type = Nullable<BigInt>)]
    until_position: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    resume_position: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    disabled_reason: Option<String>,
    #[diesel(sql_type = SmallInt)]
    events: i16,
    #[diesel(sql_type = Integer)]
    generation: i32,
}

impl CursorRow {
    /// After which entries the cursor ends or is interrupted.
    fn until(&self) -> Option<Position> {
        self.until_position.map(end_of)
    }

    /// Where it goes on after these entries; `None` if it ends.
    fn resumes(&self, until: Position, kind: EventKind) -> Option<Position> {
        let is_subscribed = Subscriptions::from_bits(self.events).has(kind);
        is_subscribed
            .then(|| self.resume_position.map_or(until, |resume| until.max(end_of(resume))))
    }
}

/// The end of a transaction.
const fn end_of(number: i64) -> Position {
    Position { number, ordinal: i32::MAX }
}

pub(in crate::webhooks) fn announce(
    connection: &mut Connection,
    new: &Announcement,
) -> Result<Announced, Failure> {
    let Some(cursor) = lock(connection, new.follower)? else { return Ok(Announced::Nothing) };
    if waits_for(connection, cursor.delivery_id)? {
        return Ok(Announced::Nothing);
    }
    let (company, kind) = (CompanyId::new(cursor.company_id.0), new.follower.kind);
    let after = Position { number: cursor.position, ordinal: cursor.ordinal };
    let until = cursor.until();
    let disabled = disabled_reason(cursor.disabled_reason.as_deref(), new.follower.webhook.uuid())?;
    let (place, most) = ((after, until), MAX_ENTRIES + 1);
    let page = changes::next_of_types(connection, company, place, kind.changes(), most)?;
    let found = page.entries.len();
    let ended = |next: Position| until.filter(|until| *until <= next);
    let Some(batch) = ChangesBatch::first_of(page.entries) else {
        let next = page.next.max(after);
        if let Some(until) = ended(next) {
            end(connection, new.follower, cursor.resumes(until, kind), None)?;
        } else if next == after {
            return Ok(Announced::Nothing);
        } else {
            advance(connection, new.follower, next, None)?;
        }
        return Ok(Announced::Passed);
    };
    let last = batch.entries().last().filter(|_| batch.entries().len() < found);
    let next = last.map_or(page.next, |entry| entry.position);
    let subscriber =
        Subscriber { webhook: new.follower.webhook, disabled, generation: cursor.generation };
    store(connection, company, new, &batch, subscriber)?;
    let delivery = Some(new.delivery_id);
    match ended(next) {
        Some(until) => end(connection, new.follower, cursor.resumes(until, kind), delivery)?,
        None => advance(connection, new.follower, next, delivery)?,
    }
    Ok(Announced::Event)
}

/// Stores an event with its delivery, which is skipped if the webhook is off.
fn store(
    connection: &mut Connection,
    company: CompanyId,
    new: &Announcement,
    batch: &ChangesBatch,
    subscriber: Subscriber,
) -> Result<(), Failure> {
    let kind = new.follower.kind;
    let event = batch.event(company, kind, new.event_id, new.now);
    let event = NewEvent::new(event, vec![(new.delivery_id, subscriber)]);
    enqueue(connection, Vec::new(), &[event])?;
    if kind == EventKind::ContactsChanged {
        name_contacts(connection, company, new, batch.entries())?;
    }
    Ok(())
}

/// Locks a cursor and its webhook, unless another transaction holds one of them.
fn lock(connection: &mut Connection, follower: Follower) -> Result<Option<CursorRow>, Failure> {
    let lock = match connection {
        Connection::Postgres(_) => {
            " FOR KEY SHARE OF webhooks SKIP LOCKED FOR UPDATE OF feed_cursors SKIP LOCKED"
        }
        Connection::Sqlite(_) => "",
    };
    let select = sql!(
        "SELECT feed_cursors.company_id, position, ordinal, delivery_id, until_position, resume_position, disabled_reason, events, \
         generation \
         FROM feed_cursors JOIN webhooks ON webhooks.id = feed_cursors.webhook_id WHERE webhook_id = ? AND kind = ?{}",
        lock
    );
    Ok(connection.first(select.bind(follower.webhook).bind(follower.kind.as_str()))?)
}

/// Whether the first attempt at the last event has not ended. This is a separate statement, so that on PostgreSQL it sees
/// what was committed before the lock.
fn waits_for(connection: &mut Connection, delivery: Option<IdValue>) -> Result<bool, Failure> {
    let Some(delivery) = delivery else { return Ok(false) };
    let select = statement("SELECT id FROM deliveries WHERE id = ? AND state = 'pending'");
    let row: Option<IdRow> = connection.first(select.bind(delivery))?;
    Ok(row.is_some())
}

/// Stores which contacts an event names, so that an erasure finds it.
fn name_contacts(
    connection: &mut Connection,
    company: CompanyId,
    new: &Announcement,
    entries: &[ChangeEntry],
) -> Result<(), Failure> {
    let mut contacts: Vec<Uuid> = entries.iter().map(|it| it.entry.object).collect();
    contacts.sort_unstable();
    contacts.dedup();
    let source = Source::of(&contacts).ids("contact_id", |id| *id);
    let insert = sql!(
        "INSERT INTO event_contacts (event_id, contact_id, company_id) SELECT ?, source.contact_id, ? FROM {}",
        source.table(connection),
    );
    connection.execute(insert.bind(new.event_id).bind(company))?;
    Ok(())
}

/// Ends a cursor that has passed its last entries, or lets it go on elsewhere.
fn end(
    connection: &mut Connection,
    follower: Follower,
    resumes: Option<Position>,
    delivery: Option<DeliveryId>,
) -> Result<(), Failure> {
    let Some(place) = resumes else {
        let delete = statement("DELETE FROM feed_cursors WHERE webhook_id = ? AND kind = ?");
        connection.execute(delete.bind(follower.webhook).bind(follower.kind.as_str()))?;
        return Ok(());
    };
    let update = statement(
        "UPDATE feed_cursors SET until_position = NULL, resume_position = NULL WHERE webhook_id = ? AND kind = ?",
    );
    connection.execute(update.bind(follower.webhook).bind(follower.kind.as_str()))?;
    advance(connection, follower, place, delivery)
}

/// Moves a cursor. Without a new delivery it keeps the last one, whose first attempt has ended.
fn advance(
    connection: &mut Connection,
    follower: Follower,
    to: Position,
    delivery: Option<DeliveryId>,
) -> Result<(), Failure> {
    let delivery = delivery.map(|id| statement(", delivery_id = ?").bind(id));
    let update = sql!(
        "UPDATE feed_cursors SET position = ?, ordinal = ?{} WHERE webhook_id = ? AND kind = ?",
        delivery
    );
    let update = update.bind(to.number).bind(to.ordinal);
    connection.execute(update.bind(follower.webhook).bind(follower.kind.as_str()))?;
    Ok(())
}
