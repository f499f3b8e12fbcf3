//! The statements that lock and write given contacts, all of them at once.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::contacts::{AvatarUrl, Contact};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use super::blocked_emails::refuse_blocked;
use super::document::encode;
use super::locked;
use super::rows::{COLUMNS, ContactRow};
use super::unlist::list_again;
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Source, any_id, any_text, in_index_order, portions, unindexed};
use crate::failure::Failure;
use crate::room::hold_company;
use crate::statement::{Statement, sql};

/// Sets the email, and its form in which it is listed and searched.
const EMAIL: &str = "email = source.email, email_folded = source.email_folded, ";
const FIRST_NAME: &str =
    "first_name = source.first_name, first_name_folded = source.first_name_folded, ";
const LAST_NAME: &str =
    "last_name = source.last_name, last_name_folded = source.last_name_folded, ";
/// Sets the columns that any update changes, and those that no index has.
const OTHERS: &str = "avatar_url = source.avatar_url, field_values = source.field_values, \
     updated_at = source.updated_at";

#[derive(QueryableByName)]
struct Inserted {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// The contacts with these email identities, deleted ones included, locked in the order of their ids.
pub(super) fn lock_by_identities(
    connection: &mut Connection,
    company: CompanyId,
    identities: Vec<String>,
) -> Result<Vec<ContactRow>, Failure> {
    let condition = has_identity(connection, company, identities);
    locked::lock(connection, condition)
}

/// The same contacts, without locks.
pub(super) fn find_by_identities(
    connection: &mut Connection,
    company: CompanyId,
    identities: Vec<String>,
) -> Result<Vec<ContactRow>, Failure> {
    let condition = has_identity(connection, company, identities);
    Ok(connection.rows(sql!("SELECT {} FROM contacts WHERE {}", COLUMNS, condition))?)
}

/// That a contact is the company's and has one of these email identities.
fn has_identity(connection: &Connection, company: CompanyId, identities: Vec<String>) -> Statement {
    let any = any_text(connection, identities);
    sql!("company_id = ? AND email_identity {}", any).bind(company)
}

/// The active contacts with these ids, locked in the order of the ids.
pub(super) fn lock_by_ids(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<ContactRow>, Failure> {
    lock(connection, company, ids, "deleted_at IS NULL")
}

/// The deleted contacts with these ids, locked in the order of the ids.
pub(super) fn lock_deleted_by_ids(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<ContactRow>, Failure> {
    lock(connection, company, ids, "deleted_at IS NOT NULL")
}

fn lock(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
    state: &'static str,
) -> Result<Vec<ContactRow>, Failure> {
    let condition = sql!(
        "{}company_id = ? AND id {} AND {}",
        unindexed(connection),
        any_id(connection, uuids(ids)),
        state,
    );
    locked::lock(connection, condition.bind(company))
}

/// Inserts contacts, sorted by email identity; fails if an identity was taken meanwhile.
pub(super) fn insert_all(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<(), Failure> {
    if !contacts.is_empty()
        && insert(storage, connection, company, contacts)?.len() != contacts.len()
    {
        return Err(Failure::Overtaken);
    }
    Ok(())
}

/// Inserts contacts, sorted by email identity, except those whose identity is taken; returns those that were inserted.
/// They are those that the statement returns: a cluster counts those that it skips as inserted. There contacts do not refer
/// to their company, so a lock keeps it from being deleted meanwhile.
pub(super) fn insert(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<Vec<ContactId>, Failure> {
    if storage.opener().is_cluster() && !hold_company(connection, company)? {
        return Err(Failure::Overtaken);
    }
    let mut inserted = Vec::with_capacity(contacts.len());
    for contacts in portions(connection, contacts) {
        let source = source(contacts);
        // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
        let insert = sql!(
            "INSERT INTO contacts (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
             ON CONFLICT (company_id, email_identity) DO NOTHING RETURNING id",
            columns = source.names(),
            table = source.table(connection),
        );
        let rows: Vec<Inserted> = connection.rows(insert.bind(company))?;
        inserted.extend(rows.into_iter().map(|contact| ContactId::new(contact.id.0)));
    }
    if !inserted.is_empty() {
        let identities = contacts.iter().map(|contact| contact.email.identity());
        refuse_blocked(storage, connection, company, identities)?;
    }
    Ok(inserted)
}

/// Writes all attributes and values of locked contacts, and makes them active.
pub(super) fn update(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<(), Failure> {
    let active = sql!("deleted_at = NULL, {}", list_again(connection));
    let assignments = sql!("{}{}{}{}{}", active, EMAIL, FIRST_NAME, LAST_NAME, OTHERS);
    assign(connection, company, contacts, &assignments)
}

/// Writes what differs between locked active contacts and the contacts that they become. SQLite rewrites the entries of
/// every index with an assigned column, whether or not its value changes. So the contacts whose same texts change are
/// written together, and no other text is assigned.
pub(super) fn change(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[(&Contact, &Contact)],
) -> Result<(), Failure> {
    let mut groups: BTreeMap<[bool; 3], Vec<&Contact>> = BTreeMap::new();
    for (before, after) in changes {
        let differing = [
            before.email != after.email,
            before.first_name != after.first_name,
            before.last_name != after.last_name,
        ];
        groups.entry(differing).or_default().push(after);
    }
    for ([email, first_name, last_name], contacts) in groups {
        let assignments = sql!(
            "{}{}{}{}",
            email.then_some(EMAIL),
            first_name.then_some(FIRST_NAME),
            last_name.then_some(LAST_NAME),
            OTHERS,
        );
        assign(connection, company, &contacts, &assignments)?;
    }
    Ok(())
}

fn assign(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
    assignments: &Statement,
) -> Result<(), Failure> {
    for contacts in portions(connection, contacts) {
        let update = sql!(
            "UPDATE contacts SET {} FROM {} WHERE contacts.id = source.id AND {}contacts.company_id = ?",
            assignments,
            source(contacts).table(connection),
            unindexed(connection),
        );
        connection.execute(update.bind(company))?;
    }
    Ok(())
}

/// Marks locked contacts as deleted.
pub(super) fn mark_deleted(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE contacts SET deleted_at = ? WHERE {}company_id = ? AND id {}",
        unindexed(connection),
        any_id(connection, uuids(ids)),
    );
    let update = update.bind(at).bind(company);
    if ids.len() == 1 {
        connection.execute(update)?;
    } else {
        // With the statistics of a small table, PostgreSQL would read all of what has become a large one.
        in_index_order(connection, |connection| Ok(connection.execute(update)?))?;
    }
    Ok(())
}

fn uuids(ids: &[ContactId]) -> impl Iterator<Item = Uuid> {
    ids.iter().map(|id| id.uuid())
}

fn source<'a>(contacts: &'a [&Contact]) -> Source<'a, &'a Contact> {
    Source::of(contacts)
        .ids("id", |it| it.id.uuid())
        .texts("email_identity", |it| it.email.identity().to_owned())
        .texts("email", |it| it.email.as_str().to_owned())
        .texts("email_folded", |it| it.email.folded())
        .texts("first_name", |it| it.first_name.as_str().to_owned())
        .texts("first_name_folded", |it| it.first_name.folded())
        .texts("last_name", |it| it.last_name.as_str().to_owned())
        .texts("last_name_folded", |it| it.last_name.folded())
        .optional_texts("avatar_url", |it| {
            it.avatar_url.as_ref().map(AvatarUrl::as_str).map(str::to_owned)
        })
        .jsons("field_values", |it| encode(&it.field_values))
        .moments("created_at", |it| it.created_at)
        .moments("updated_at", |it| it.updated_at)
}
