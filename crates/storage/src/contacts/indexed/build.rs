//! A batch of the values of contacts that existed before their field became filterable.

use diesel::QueryableByName;
use diesel::sql_types::{Integer, Nullable, Text};

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::fields::FieldKey;
use contact_hub_domain::ids::ContactId;

use super::rows::{Row, put};
use super::todo::Todo;
use crate::Storage;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::contacts::document::Decoder;
use crate::contacts::unlist::is_active;
use crate::contacts::write::lock_by_ids;
use crate::dialect::{Lock, along, in_index_order};
use crate::failure::Failure;
use crate::fields::{IndexState, set_state};
use crate::statement::{sql, statement};

/// A field that is locked, with the place up to which its values are built.
#[derive(QueryableByName)]
struct Locked {
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Integer)]
    index_version: i32,
    #[diesel(sql_type = Nullable<Moment>)]
    indexed_at: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Id>)]
    indexed_to: Option<IdValue>,
}

#[derive(QueryableByName)]
struct Place {
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// Writes the values of the next contacts in the order of creation, and how far it came; after the last ones the field
/// is ready. Returns whether there are more.
///
/// Contacts that were created since are behind or before the place, and their values are written anyway.
pub(super) fn batch(
    storage: &Storage,
    connection: &mut Connection,
    todo: Todo,
    contacts: u32,
) -> Result<bool, Failure> {
    let Some(field) = lock(connection, todo)? else { return Ok(false) };
    let places = next(connection, todo, &field, contacts)?;
    let ids: Vec<ContactId> = places.iter().map(|place| ContactId::new(place.id.0)).collect();
    let key = FieldKey::from_stored(field.key);
    let mut decoder = Decoder::new(storage, todo.company);
    let mut found: Vec<Contact> = Vec::with_capacity(ids.len());
    for row in lock_by_ids(connection, todo.company, &ids)? {
        let values = decoder.decode(connection, &row.field_values)?;
        found.push(row.into_contact(values));
    }
    let rows = found.iter().filter_map(|Contact { id, created_at, field_values, .. }| {
        let value = field_values.get(&key)?;
        Some(Row { contact: *id, created_at: *created_at, field: todo.field, value })
    });
    put(connection, todo.company, &rows.collect::<Vec<_>>())?;
    let is_last = u32::try_from(places.len()).is_ok_and(|number| number < contacts);
    match places.last() {
        Some(last) if !is_last => reach(connection, todo, last)?,
        _ => set_state(connection, todo.company, todo.field, IndexState::Ready)?,
    }
    Ok(!is_last)
}

/// Locks the field, if its state is still the one that is to be done.
fn lock(connection: &mut Connection, todo: Todo) -> Result<Option<Locked>, Failure> {
    let select = sql!(
        "SELECT key, index_version, indexed_at, indexed_to FROM fields WHERE company_id = ? AND id = ?{}",
        Lock::ForNoKeyUpdate.on(connection)
    );
    let field: Option<Locked> = connection.first(select.bind(todo.company).bind(todo.field))?;
    Ok(field.filter(|field| field.index_version == todo.version))
}

fn next(
    connection: &mut Connection,
    todo: Todo,
    field: &Locked,
    contacts: u32,
) -> Result<Vec<Place>, Failure> {
    let behind = field.indexed_at.zip(field.indexed_to);
    let behind = behind
        .map(|(moment, id)| statement(" AND (created_at, id) > (?, ?)").bind(moment.0).bind(id));
    let select = sql!(
        "SELECT created_at, id FROM contacts{} WHERE company_id = ? AND {}{} ORDER BY created_at, id LIMIT ?",
        along(connection, "contacts_by_created_at"),
        is_active(connection, todo.company),
        behind,
    );
    let select = select.bind(todo.company).bind(i64::from(contacts));
    in_index_order(connection, |connection| Ok(connection.rows(select)?))
}

fn reach(connection: &mut Connection, todo: Todo, place: &Place) -> Result<(), Failure> {
    let text = "UPDATE fields SET indexed_at = ?, indexed_to = ? WHERE id = ? AND company_id = ?";
    let update = statement(text).bind(place.created_at.0).bind(place.id);
    connection.execute(update.bind(todo.field).bind(todo.company))?;
    Ok(())
}
