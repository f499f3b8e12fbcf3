//! SQLite's statements: one JSON document in place of arrays, with bytes as hexadecimal.
//!
//! A statement on given contacts compares the company as `+company_id`, which no index serves. Otherwise the planner
//! may prefer an index that begins with the company, and read all of its contacts.

use std::collections::HashMap;

use serde_json::json;

use crate::connection::Connection;
use diesel::QueryableByName;
use diesel::sql_types::{Integer, Text};

use contact_hub_domain::contacts::{AvatarUrl, Contact};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use super::contact_columns::{WRITTEN, assignments};
use crate::contacts::{COLUMNS, ContactRow, ValueUse, encode};
use crate::failure::Failure;
use crate::statement::{Statement, statement};

pub(super) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    let falls = changes.iter().any(|change| change.delta < 0);
    let rows: Vec<_> = changes
        .iter()
        .map(|change| {
            let field = hex::encode(change.field.uuid().as_bytes());
            let (key, identity) = (hex::encode(&change.sort_key), hex::encode(&change.identity));
            json!([
                field,
                key,
                identity,
                hex::encode(&change.sort_rest),
                change.value,
                change.delta
            ])
        })
        .collect();
    let document = serde_json::Value::from(rows).to_string();
    // WHERE true keeps ON CONFLICT from being read as a join condition (SQLite, "Parsing Ambiguity" of UPSERT).
    let upsert = "INSERT INTO field_value_uses (field_id, sort_key, identity, sort_rest, value, uses) \
         SELECT unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2), unhex(value ->> 3), value ->> 4, \
         value ->> 5 FROM json_each(?) WHERE true \
         ON CONFLICT (field_id, sort_key, identity) DO UPDATE SET uses = uses + excluded.uses";
    connection.execute(statement(upsert).bind(document.clone()))?;
    if falls {
        let delete = "DELETE FROM field_value_uses WHERE uses <= 0 AND (field_id, sort_key, identity) IN \
             (SELECT unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2) FROM json_each(?))";
        connection.execute(statement(delete).bind(document))?;
    }
    Ok(())
}

/// One prepared statement for each id; SQLite has no round trips that an array would save.
pub(super) fn read_contacts(
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE id = ? AND company_id = ? AND deleted_at IS NULL"
    );
    let mut rows = Vec::with_capacity(asked.len());
    for (company, id) in asked {
        let row = connection.first(statement(text.clone()).bind(*id).bind(*company))?;
        rows.extend(row.map(|row| (*company, row)));
    }
    Ok(rows)
}

pub(super) fn lock_by_identities(
    connection: &mut Connection,
    company: CompanyId,
    identities: &[String],
) -> Result<Vec<ContactRow>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE company_id = ? AND email_identity IN (SELECT value FROM json_each(?))"
    );
    let identities = serde_json::Value::from(identities).to_string();
    Ok(connection.rows(statement(text).bind(company).bind(identities))?)
}

pub(super) fn lock_by_ids(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<ContactRow>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE +company_id = ? AND id IN (SELECT unhex(value) FROM json_each(?)) \
         AND deleted_at IS NULL"
    );
    Ok(connection.rows(statement(text).bind(company).bind(id_array(ids)))?)
}

pub(super) fn mark_deleted(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE contacts SET deleted_at = ? WHERE +company_id = ? AND id IN (SELECT unhex(value) FROM json_each(?))";
    connection.execute(statement(text).bind(at).bind(company).bind(id_array(ids)))?;
    Ok(())
}

fn id_array(ids: &[ContactId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| hex::encode(id.uuid().as_bytes())).collect();
    serde_json::Value::from(ids).to_string()
}

pub(super) fn insert_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<usize, Failure> {
    let columns = WRITTEN.join(", ");
    let text = format!(
        "INSERT INTO contacts ({columns}) SELECT {}, ? FROM json_each(?) WHERE true \
         ON CONFLICT (company_id, email_identity) DO NOTHING",
        members().join(", ")
    );
    Ok(connection.execute(statement(text).bind(company).bind(document(contacts)))?)
}

pub(super) fn update_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<(), Failure> {
    let columns: Vec<String> = members()
        .iter()
        .zip(WRITTEN)
        .map(|(member, column)| format!("{member} AS {column}"))
        .collect();
    let text = format!(
        "WITH source AS MATERIALIZED (SELECT {} FROM json_each(?)) UPDATE contacts SET deleted_at = NULL, {} FROM source \
         WHERE contacts.id = source.id AND +contacts.company_id = ?",
        columns.join(", "),
        assignments()
    );
    connection.execute(statement(text).bind(document(contacts)).bind(company))?;
    Ok(())
}

/// The written columns except the company, each read from its place in a row's array.
fn members() -> Vec<String> {
    let [columns @ .., _company] = WRITTEN;
    columns
        .iter()
        .enumerate()
        .map(|(place, column)| match *column {
            "id" => format!("unhex(value ->> {place})"),
            _ => format!("value ->> {place}"),
        })
        .collect()
}

fn document(contacts: &[&Contact]) -> String {
    let rows: Vec<serde_json::Value> = contacts
        .iter()
        .map(|contact| {
            json!([
                hex::encode(contact.id.uuid().as_bytes()),
                contact.email.identity(),
                contact.email.as_str(),
                contact.email.folded(),
                contact.first_name.as_str(),
                contact.first_name.folded(),
                contact.last_name.as_str(),
                contact.last_name.folded(),
                contact.avatar_url.as_ref().map(AvatarUrl::as_str),
                encode(&contact.field_values).0,
                contact.created_at.micros(),
                contact.updated_at.micros(),
            ])
        })
        .collect();
    serde_json::Value::from(rows).to_string()
}

/// The full-text index consists of trigrams; for a shorter text every row is scanned.
pub(super) fn occurs_in_search_text(part: &str) -> (String, String) {
    if part.chars().nth(2).is_none() {
        return ("instr(contacts.search_text, ?) > 0".to_owned(), part.to_owned());
    }
    let condition =
        "contacts.rowid IN (SELECT rowid FROM contacts_search WHERE contacts_search MATCH ?)";
    (condition.to_owned(), format!("\"{}\"", part.replace('"', "\"\"")))
}

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = Integer)]
    parent: i32,
    #[diesel(sql_type = Text)]
    detail: String,
}

pub(super) fn explain(
    connection: &mut Connection,
    statement: Statement,
) -> Result<Vec<String>, Failure> {
    let lines: Vec<PlanLine> = connection.rows(statement.prefixed("EXPLAIN QUERY PLAN "))?;
    let mut depths: HashMap<i32, usize> = HashMap::new();
    let indented = lines.into_iter().map(|line| {
        let depth = depths.get(&line.parent).map_or(0, |above| above + 1);
        depths.insert(line.id, depth);
        format!("{}{}", "  ".repeat(depth), line.detail)
    });
    Ok(indented.collect())
}
