//! The next contacts of an export: walked along the index of creation, from where the last part ended.

use contact_hub_domain::contacts::{Contact, ExportPlace, ListQuery};
use contact_hub_domain::ids::CompanyId;

use super::conditions::Conditions;
use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, statement};

pub(super) fn list_after(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    after: Option<ExportPlace>,
    limit: u32,
) -> Result<Vec<Contact>, Failure> {
    let conditions = Conditions::of(connection, query);
    let rows: Vec<ContactRow> = connection.rows(part(company, &conditions, after, limit))?;
    let mut decoder = Decoder::new(storage, company);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values)?);
    }
    Ok(contacts)
}

fn part(
    company: CompanyId,
    conditions: &Conditions,
    after: Option<ExportPlace>,
    limit: u32,
) -> Statement {
    let behind = if after.is_some() { " AND (created_at, id) > (?, ?)" } else { "" };
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE {}{behind} ORDER BY created_at, id LIMIT ?",
        conditions.text()
    );
    let found = conditions.bind(statement(text).uncached().bind(company));
    let found = match after {
        Some(place) => found.bind(place.created_at).bind(place.id),
        None => found,
    };
    found.bind(i64::from(limit))
}
