//! Make events of alerts, for webhooks that are subscribed to them.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::alerts::{AlertKind, AnnounceAlerts, NewAlert};
use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId};
use contact_hub_domain::webhooks::EventKind;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::webhooks::{enqueue, lock_subscribers};

/// The most alerts of a company that wait; further ones make no events.
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

/// Keeps an alert until its event is made. Rows are only inserted and deleted, so nothing waits for a row here.
pub(super) fn insert(connection: &mut Connection, alert: &NewAlert) -> Result<(), Failure> {
    let text = "INSERT INTO alert_events (company_id, at, kind, object_id, name, detail) SELECT ?, ?, ?, ?, ?, ? \
         WHERE NOT EXISTS (SELECT 1 FROM alert_events WHERE company_id = ? LIMIT 1 OFFSET ?) ON CONFLICT DO NOTHING";
    let insert = statement(text)
        .bind(alert.company)
        .bind(alert.at)
        .bind(alert.kind.as_str())
        .bind(IdValue(alert.object))
        .bind(alert.name.as_str())
        .bind(alert.detail.as_str())
        .bind(alert.company)
        .bind(MAX_WAITING - 1);
    connection.execute(insert)?;
    Ok(())
}

/// Whether there are any.
pub(super) fn is_any(connection: &mut Connection) -> Result<bool, Failure> {
    let text = "SELECT company_id, at, kind, object_id, name, detail FROM alert_events LIMIT 1";
    let row: Option<AlertRow> = connection.first(statement(text))?;
    Ok(row.is_some())
}

/// Makes events of some alerts; returns of how many.
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
    for row in &rows {
        let text = "DELETE FROM alert_events WHERE company_id = ? AND at = ? AND kind = ? AND object_id = ?";
        let delete = statement(text).bind(row.company_id).bind(row.at.0);
        connection.execute(delete.bind(row.kind.as_str()).bind(row.object_id))?;
        make_event(connection, row, new)?;
    }
    Ok(rows.len())
}

/// A webhook gets no event of an alert about itself.
fn make_event(
    connection: &mut Connection,
    row: &AlertRow,
    new: &AnnounceAlerts,
) -> Result<(), Failure> {
    let Some(kind) = AlertKind::parse(&row.kind) else { return Ok(()) };
    let company = CompanyId::new(row.company_id.0);
    let subscribers = lock_subscribers(connection, company, EventKind::AlertRaised)?;
    let others = subscribers.into_iter().filter(|it| it.webhook.uuid() != row.object_id.0);
    let deliveries: Vec<_> =
        others.map(|subscriber| (DeliveryId::new(new.ids.next()), subscriber)).collect();
    if deliveries.is_empty() {
        return Ok(());
    }
    let alert = NewAlert {
        company,
        kind,
        object: row.object_id.0,
        name: row.name.clone(),
        detail: row.detail.clone(),
        about: None,
        at: row.at.0,
    };
    let event = alert.event(EventId::new(new.ids.next()), new.now);
    enqueue(connection, Vec::new(), &event, &deliveries)
}
