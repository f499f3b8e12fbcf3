//! The events whose payloads name a contact: their deliveries, and what an erasure leaves of the payloads.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use serde_json::Value;

use contact_hub_domain::changes::ChangeType;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Delivery;

use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::settling::of_company;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

#[derive(QueryableByName)]
struct EventRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    payload: String,
}

/// Removes the entries of a contact from the payloads of events since its creation, except the one of its erasure.
/// Deliveries of these events that are still open send what is left.
pub(crate) fn forget_contact(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    created: Timestamp,
) -> Result<(), Failure> {
    let select = sql!("SELECT id, payload FROM {}", naming(company, id, created));
    let events: Vec<EventRow> = connection.rows(select)?;
    for event in events {
        let payload = without(&event.payload, id)?;
        let update = statement("UPDATE events SET payload = ? WHERE id = ? AND company_id = ?");
        connection.execute(update.bind(payload).bind(event.id).bind(company))?;
    }
    Ok(())
}

/// What follows FROM for the events since the creation of a contact that name it.
fn naming(company: CompanyId, id: ContactId, created: Timestamp) -> Statement {
    let text = "events WHERE company_id = ? AND kind = 'contactsChanged' AND created_at >= ? AND payload LIKE ?";
    statement(text).bind(company).bind(created).bind(format!("%{id}%"))
}

/// The latest deliveries of events since the creation of a contact that name it, the oldest first.
pub(crate) fn deliveries_of_contact(
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    created: Timestamp,
    limit: u32,
) -> Result<Vec<Delivery>, Failure> {
    let settlements = of_company(connection, company)?;
    let select = sql!(
        "SELECT {} FROM deliveries WHERE event_id IN (SELECT id FROM {}) ORDER BY id DESC LIMIT ?",
        DELIVERY_COLUMNS,
        naming(company, id, created),
    );
    let rows: Vec<DeliveryRow> = connection.rows(select.bind(i64::from(limit)))?;
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
    use uuid::Uuid;

    use super::*;

    #[test]
    fn entries_of_others_and_of_the_erasure_stay() {
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
