//! The effect of a write of contacts on the indexed values.

use contact_hub_domain::contacts::{Change, Contact};
use contact_hub_domain::fields::{Directory, FieldKey, FieldValue, FieldValues};
use contact_hub_domain::ids::{CompanyId, ContactId, FieldId};
use contact_hub_domain::time::Timestamp;

use super::naming::{of_company, of_field};
use super::rows::{Row, put, removes_replaced};
use crate::Storage;
use crate::connection::Connection;
use crate::dialect::{ROWS, any_id, in_index_order, portions, unindexed};
use crate::failure::Failure;
use crate::fields::{IndexUpkeep, recent};
use crate::statement::{Statement, joined, sql, statement};

/// A contact that is active after the write.
pub(crate) struct Written<'a> {
    id: ContactId,
    created_at: Timestamp,
    /// Its values while it was active before.
    before: Option<&'a FieldValues>,
    after: &'a FieldValues,
}

impl<'a> Written<'a> {
    /// A contact that was not active before.
    pub(crate) const fn active(after: &'a Contact) -> Self {
        Self { before: None, ..Self::changed(after, after) }
    }

    /// A contact that was active before.
    pub(crate) const fn changed(before: &'a Contact, after: &'a Contact) -> Self {
        Self {
            id: after.id,
            created_at: after.created_at,
            before: Some(&before.field_values),
            after: &after.field_values,
        }
    }

    /// A contact of a bulk.
    pub(crate) const fn of(change: &'a Change) -> Self {
        match change {
            Change::Insert(after) | Change::Restore { after, .. } => Self::active(after),
            Change::Update { before, after } => Self::changed(before, after),
        }
    }

    /// Its value of a field before and after the write.
    fn values(&self, key: &FieldKey) -> (Option<&'a FieldValue>, Option<&'a FieldValue>) {
        (self.before.and_then(|values| values.get(key)), self.after.get(key))
    }
}

/// Writes what differs, in the transaction of the write. The directory has every field of the values. Without filterable
/// fields there is nothing to do.
pub(crate) fn write(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    directory: &Directory,
    contacts: &[Written<'_>],
) -> Result<(), Failure> {
    let known = recent(storage, connection, company, directory)?;
    let mut rows = Vec::new();
    for (field, key, upkeep) in known.indexed.iter() {
        let others = rows.len();
        let (mut replaced, mut gone) = (Vec::new(), Vec::new());
        for contact in contacts {
            let (id, created_at) = (contact.id, contact.created_at);
            let (before, after) = contact.values(key);
            match after {
                _ if before == after => {}
                Some(value) if *upkeep == IndexUpkeep::Write => {
                    rows.push(Row { contact: id, created_at, field: *field, value });
                    replaced.extend(before.map(|_| id));
                }
                _ => gone.extend(before.map(|_| id)),
            }
        }
        if removes_replaced(connection, rows.len() - others) {
            gone.append(&mut replaced);
        }
        remove(connection, company, *field, &gone)?;
    }
    put(connection, company, &rows)
}

fn remove(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    contacts: &[ContactId],
) -> Result<(), Failure> {
    for contacts in portions(connection, contacts) {
        let delete = sql!(
            "DELETE FROM indexed_values WHERE {} AND contact_id {}",
            of_field(connection, unindexed(connection), company, field),
            any_contact(connection, contacts),
        );
        if contacts.len() == 1 {
            connection.execute(delete)?;
        } else {
            // With the statistics of a small table, PostgreSQL would read all of what has become a large one.
            in_index_order(connection, |connection| Ok(connection.execute(delete)?))?;
        }
    }
    Ok(())
}

/// That a contact is one of these. On SQLite the ids of a whole portion are bound without a call of a function: with one, the
/// statement would keep a copy of each page ([`portions`]).
fn any_contact(connection: &Connection, contacts: &[ContactId]) -> Statement {
    match connection {
        Connection::Sqlite(_) if contacts.len() == ROWS => {
            let ids = contacts.iter().map(|id| statement("?").bind(*id));
            sql!("IN ({})", joined(ids, ", "))
        }
        _ => any_id(connection, contacts.iter().map(|id| id.uuid())),
    }
}

/// Removes all rows of contacts that are deleted.
pub(crate) fn remove_all(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    directory: &Directory,
    contacts: &[ContactId],
) -> Result<(), Failure> {
    if recent(storage, connection, company, directory)?.indexed.is_empty() {
        return Ok(());
    }
    forget(connection, company, contacts)
}

/// Removes all rows of contacts, also those of a field that is no longer filterable.
pub(crate) fn forget(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[ContactId],
) -> Result<(), Failure> {
    let delete = sql!(
        "DELETE FROM indexed_values WHERE {} AND contact_id {}",
        of_company(connection, company),
        any_id(connection, contacts.iter().map(|id| id.uuid())),
    );
    connection.execute(delete)?;
    Ok(())
}
