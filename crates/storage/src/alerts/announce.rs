//! Create events from alerts, for webhooks that are subscribed to them.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::alerts::{AlertKind, AnnounceAlerts, NewAlert};
use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId};
use contact_hub_domain::webhooks::EventKind;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::webhooks::{NewEvent, Subscriber, enqueue, lock_subscribers_of};

/// The maximum number of alerts of a company that wait; no events are created for further ones.
const MAX_WAITING: i64 = 1000;

#[derive(QueryableByName)]
struct AlertRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Id)]
    object_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Keeps alerts until their events are created. Rows are only inserted and deleted, so nothing waits for a row here.
pub(super) fn insert(connection: &mut Connection, alerts: &[&NewAlert]) -> Result<(), Failure> {
    if alerts.is_empty() {
        return Ok(());
    }
    let source = Source::of(alerts)
        .ids("company_id", |alert| alert.company.uuid())
        .moments("at", |alert| alert.at)
        .texts("kind", |alert| alert.kind.as_str().to_owned())
        .ids("object_id", |alert| alert.object)
        .texts("name", |alert| alert.name.clone())
        .texts("detail", |alert| alert.detail.clone());
    let insert = sql!(
        "INSERT INTO alert_events (company_id, at, kind, object_id, name, detail) SELECT source.company_id, source.at, \
         source.kind, source.object_id, source.name, source.detail FROM {} WHERE NOT EXISTS (SELECT 1 FROM alert_events \
         WHERE alert_events.company_id = source.company_id LIMIT 1 OFFSET ?) ON CONFLICT DO NOTHING",
        source.table(connection)
    );
    connection.execute(insert.bind(MAX_WAITING - 1))?;
    Ok(())
}

/// Whether there are any.
pub(super) fn is_any(connection: &mut Connection) -> Result<bool, Failure> {
    let text = "SELECT company_id, at, kind, object_id, name, detail FROM alert_events LIMIT 1";
    let row: Option<AlertRow> = connection.first(statement(text))?;
    Ok(row.is_some())
}

/// Creates events from some alerts; returns from how many.
pub(super) fn announce(
    connection: &mut Connection,
    new: &AnnounceAlerts,
) -> Result<usize, Failure> {
    let select = sql!(
        "SELECT company_id, at, kind, object_id, name, detail FROM alert_events \
         ORDER BY company_id, at, kind, object_id LIMIT ?{}",
        Lock::SkipLocked.on(connection)
    );
    let rows: Vec<AlertRow> = connection.rows(select.bind(i64::from(new.limit)))?;
    if rows.is_empty() {
        return Ok(0);
    }
    let source = Source::of(&rows)
        .ids("company_id", |row| row.company_id.0)
        .moments("at", |row| row.at.0)
        .texts("kind", |row| row.kind.clone())
        .ids("object_id", |row| row.object_id.0);
    let delete = sql!(
        "DELETE FROM alert_events WHERE (company_id, at, kind, object_id) IN \
         (SELECT source.company_id, source.at, source.kind, source.object_id FROM {})",
        source.table(connection)
    );
    connection.execute(delete)?;
    let companies: Vec<CompanyId> =
        rows.iter().map(|row| CompanyId::new(row.company_id.0)).collect();
    let subscribers = lock_subscribers_of(connection, &companies, EventKind::AlertRaised)?;
    let events: Vec<_> = rows.iter().filter_map(|row| event(row, new, &subscribers)).collect();
    enqueue(connection, Vec::new(), &events)?;
    Ok(rows.len())
}

/// The event of an alert with its deliveries; `None` when nobody gets it. A webhook gets no event of an alert about itself.
fn event(
    row: &AlertRow,
    new: &AnnounceAlerts,
    subscribers: &[(CompanyId, Subscriber)],
) -> Option<NewEvent> {
    let company = CompanyId::new(row.company_id.0);
    let alert = NewAlert {
        company,
        kind: AlertKind::parse(&row.kind)?,
        object: row.object_id.0,
        name: row.name.clone(),
        detail: row.detail.clone(),
        about: None,
        at: row.at.0,
    };
    let others = subscribers
        .iter()
        .filter(|(of, it)| *of == company && it.webhook.uuid() != row.object_id.0);
    let deliveries: Vec<_> =
        others.map(|(_, subscriber)| (DeliveryId::new(new.ids.next()), *subscriber)).collect();
    let is_heard = !deliveries.is_empty();
    is_heard.then(|| NewEvent::new(alert.event(EventId::new(new.ids.next()), new.now), deliveries))
}
