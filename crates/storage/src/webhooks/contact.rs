//! The events whose payloads name a contact: their deliveries, and what an erasure leaves of the payloads.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use serde_json::Value;

use contact_hub_domain::changes::ChangeType;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::webhooks::Delivery;
use uuid::Uuid;

use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::settling::of_company;
use crate::columns::{Id, IdRow, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source};
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// How many payloads are read and written at once.
const PAYLOADS: usize = 50;

#[derive(QueryableByName)]
struct EventRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    payload: String,
}

/// Removes the entries of a contact from the payloads of all events, except the one of its erasure. Deliveries of these
/// events that are still open send what is left.
pub(crate) fn forget_contact(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
) -> Result<(), Failure> {
    wait_for_events(connection, company)?;
    let mut after = IdValue(Uuid::nil());
    loop {
        let select = sql!(
            "SELECT events.id, events.payload FROM event_contacts JOIN events ON events.id = event_contacts.event_id \
             WHERE event_contacts.company_id = ? AND contact_id = ? AND event_id > ? AND payload IS NOT NULL \
             ORDER BY event_id LIMIT {}",
            PAYLOADS,
        );
        let events: Vec<EventRow> = connection.rows(select.bind(company).bind(id).bind(after))?;
        let Some(last) = events.last() else { break };
        after = last.id;
        forget_in(connection, company, id, &events)?;
    }
    let delete = statement("DELETE FROM event_contacts WHERE company_id = ? AND contact_id = ?");
    connection.execute(delete.bind(company).bind(id))?;
    Ok(())
}

/// Waits for the events that other transactions are making, and keeps them from making further ones until this transaction
/// ends. They may have read entries of the contact before these were changed.
fn wait_for_events(connection: &mut Connection, company: CompanyId) -> Result<(), Failure> {
    let select = sql!(
        "SELECT webhook_id AS id FROM feed_cursors WHERE company_id = ? AND kind = 'contactsChanged' \
         ORDER BY webhook_id{}",
        Lock::ForUpdate.on(connection)
    );
    let _cursors: Vec<IdRow> = connection.rows(select.bind(company))?;
    Ok(())
}

fn forget_in(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    events: &[EventRow],
) -> Result<(), Failure> {
    let left = events.iter().map(|event| Ok((event.id.0, without(&event.payload, id)?)));
    let left = left.collect::<Result<Vec<(Uuid, String)>, Failure>>()?;
    let source = Source::of(&left).ids("id", |(id, _)| *id).texts("payload", |(_, it)| it.clone());
    let update = sql!(
        "UPDATE events SET payload = source.payload FROM {} WHERE events.id = source.id AND company_id = ?",
        source.table(connection),
    );
    connection.execute(update.bind(company))?;
    Ok(())
}

/// The latest deliveries of events that name a contact, the oldest first.
pub(crate) fn deliveries_of_contact(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    limit: u32,
) -> Result<Vec<Delivery>, Failure> {
    let settlements = of_company(connection, company)?;
    let select = sql!(
        "SELECT {} FROM deliveries WHERE event_id IN \
         (SELECT event_id FROM event_contacts WHERE company_id = ? AND contact_id = ?) ORDER BY id DESC LIMIT ?",
        DELIVERY_COLUMNS,
    );
    let select = select.bind(company).bind(id).bind(i64::from(limit));
    let rows: Vec<DeliveryRow> = connection.rows(select)?;
    rows.into_iter().rev().map(|row| row.seen(&settlements)).collect()
}

/// The payload without the entries of a contact.
fn without(payload: &str, id: ContactId) -> Result<String, Failure> {
    let corrupt = || Failure::Corrupt("events.payload".to_owned());
    let mut payload: Value = serde_json::from_str(payload).map_err(|_syntax| corrupt())?;
    let changes = payload.get_mut("changes").and_then(Value::as_array_mut);
    let id = id.to_string();
    changes.ok_or_else(corrupt)?.retain(|entry| {
        let is = |name: &str, text: &str| entry.get(name).and_then(Value::as_str) == Some(text);
        !is("object_id", &id) || is("type", ChangeType::ContactErased.as_str())
    });
    Ok(payload.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn entries_of_others_and_of_the_erasure_are_kept() {
        let (erased, other) = (ContactId::new(Uuid::from_u128(1)), Uuid::from_u128(2));
        let entry =
            |kind: &str, object: Uuid| json!({"type": kind, "object_id": object.to_string()});
        let others = entry("contact.updated", other);
        let erasure = entry("contact.erased", erased.uuid());
        let all = [entry("contact.updated", erased.uuid()), others.clone(), erasure.clone()];
        let payload = json!({"id": "7", "event": "contactsChanged", "changes": all}).to_string();
        let left = without(&payload, erased).expect("a payload");
        let left: Value = serde_json::from_str(&left).expect("JSON");
        assert_eq!(
            left,
            json!({"id": "7", "event": "contactsChanged", "changes": [others, erasure]})
        );
    }
}
