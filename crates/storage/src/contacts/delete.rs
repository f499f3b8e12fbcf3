//! Delete contacts: the rows are marked, and their values are no longer counted.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{DeleteContactOutcome, ExpectedVersion};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::time::Timestamp;

use super::document::Decoder;
use super::indexed;
use super::rows::ContactRow;
use super::trace::Trace;
use super::unlist::leave_listed;
use super::write;
use crate::Storage;
use crate::audit::append;
use crate::changes::Published;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;

/// Deletes one contact, if it is at the expected version.
pub(super) fn delete(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    id: ContactId,
    expected: &ExpectedVersion,
    at: Timestamp,
) -> Result<Recorded<DeleteContactOutcome>, Failure> {
    let locked = write::lock_by_ids(connection, by.company, &[id])?;
    let Some(contact) = locked.first() else {
        return Ok(Recorded::unchanged(DeleteContactOutcome::NotFound));
    };
    if !expected.permits(contact.version()) {
        return Ok(Recorded::unchanged(DeleteContactOutcome::Stale));
    }
    let audit = NewAuditEntry::of(by, AuditAction::ContactDeleted, id.uuid(), at);
    let entry = mark(storage, connection, audit, locked)?;
    Ok(Recorded::by(entry, DeleteContactOutcome::Deleted))
}

/// Deletes the active contacts among these, and returns how many there were.
pub(super) fn delete_many(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<Recorded<u64>, Failure> {
    let locked = match ids {
        [] => Vec::new(),
        ids => write::lock_by_ids(connection, by.company, ids)?,
    };
    let deleted = u64::try_from(locked.len()).unwrap_or(u64::MAX);
    let counts = [("deleted", deleted)];
    let audit = NewAuditEntry::of_many(by, AuditAction::ContactsDeleted, at, &counts);
    if locked.is_empty() {
        return Ok(Recorded::by(append(connection, &audit)?, 0));
    }
    let entry = mark(storage, connection, audit, locked)?;
    Ok(Recorded::by(entry, deleted))
}

fn mark(
    storage: &Storage,
    connection: &mut Connection,
    audit: NewAuditEntry,
    locked: Vec<ContactRow>,
) -> Result<Option<Published>, Failure> {
    let (by, at) = (audit.by.clone(), audit.at);
    let ids: Vec<ContactId> = locked.iter().map(ContactRow::id).collect();
    write::mark_deleted(connection, by.company, &ids, at)?;
    leave_listed(storage, connection, by.company, ids.len());
    let mut decoder = Decoder::new(storage, by.company);
    let mut trace = Trace {
        entries: ids.iter().map(|id| NewEntry::contact_deleted(&by, *id, at)).collect(),
        audit: Some(audit),
        ..Trace::default()
    };
    for contact in locked {
        let values = decoder.decode(connection, &contact.field_values)?;
        let contact = contact.into_contact(values);
        trace.counts.lose(decoder.directory(connection)?.as_ref(), &contact)?;
    }
    let directory = decoder.directory(connection)?;
    indexed::remove_all(storage, connection, by.company, &directory, &ids)?;
    trace.write(storage, connection, by.company)
}
