//! Create, restore and update many contacts with few statements, whose number does not grow with that of the contacts, except
//! that SQLite writes rows in portions.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{Change, Contact, Existing, Merged, NewContact, merge};

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;

use super::blocked_emails::refuse_blocked;
use super::document::Decoder;
use super::indexed::{self, Written};
use super::rows::ContactRow;
use super::trace::Trace;
use super::write;
use crate::audit;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;

/// Locks the existing rows, merges, and writes what differs. If another transaction creates one of the contacts
/// between the lock and the insert, this transaction is retried and then sees it.
///
/// The decoder has every field that the rows name.
pub(super) fn upsert_many(
    mut decoder: Decoder<'_>,
    connection: &mut Connection,
    by: &Author,
    rows: &[NewContact],
    failed: u64,
    at: Timestamp,
) -> Result<Recorded<Merged>, Failure> {
    let company = by.company;
    let locked = write::lock_by_identities(connection, company, identities(rows))?;
    let merged = merge(existing(connection, &mut decoder, locked)?, rows);
    let mut inserts: Vec<&Contact> = Vec::new();
    let mut restores: Vec<&Contact> = Vec::new();
    let mut updates: Vec<(&Contact, &Contact)> = Vec::new();
    let mut trace = Trace::default();
    let directory = decoder.directory(connection)?;
    if let Some(sample) = merged.changes.first() {
        trace.counts.reserve(merged.changes.len(), sample.after());
    }
    for change in &merged.changes {
        match change {
            Change::Insert(after) => {
                trace.counts.gain(&directory, after)?;
                inserts.push(after);
            }
            Change::Restore { after, .. } => {
                trace.counts.gain(&directory, after)?;
                restores.push(after);
            }
            Change::Update { before, after } => {
                trace.counts.exchange(&directory, before, after)?;
                updates.push((before, after));
            }
        }
    }
    inserts.sort_unstable_by_key(|contact| contact.email.identity());
    write::insert_all(decoder.storage, connection, company, &inserts)?;
    if !restores.is_empty() {
        write::update(connection, company, &restores)?;
    }
    write::change(connection, company, &updates)?;
    let written: Vec<_> = merged.changes.iter().map(Written::of).collect();
    indexed::write(decoder.storage, connection, company, &directory, &written)?;
    trace.entries = merged.changes.iter().map(|it| NewEntry::contact_written(by, it)).collect();
    trace.audit = Some(audited(by, &merged, failed, at));
    let entries = trace.write(decoder.storage, connection, company)?;
    Ok(Recorded::by(entries, merged))
}

/// Records a bulk of which no row is valid.
pub(super) fn record_rejected(
    connection: &mut Connection,
    by: &Author,
    failed: u64,
    at: Timestamp,
) -> Result<Recorded<Merged>, Failure> {
    let nothing = Merged::default();
    let entry = audit::append(connection, &audited(by, &nothing, failed, at))?;
    Ok(Recorded::by(entry, nothing))
}

fn audited(by: &Author, merged: &Merged, failed: u64, at: Timestamp) -> NewAuditEntry {
    let counts = [("created", merged.created), ("updated", merged.updated), ("failed", failed)];
    // Only the pages write many contacts without a key: by an import.
    let action = match by.call.key {
        Some(_) => AuditAction::ContactsUpserted,
        None => AuditAction::ContactsImported,
    };
    NewAuditEntry::of_many(by, action, at, &counts)
}

/// What the rows would change now. Nothing is locked.
pub(super) fn preview_many(
    mut decoder: Decoder<'_>,
    connection: &mut Connection,
    company: CompanyId,
    rows: &[NewContact],
) -> Result<Merged, Failure> {
    if rows.is_empty() {
        return Ok(Merged::default());
    }
    let found = write::find_by_identities(connection, company, identities(rows))?;
    let merged = merge(existing(connection, &mut decoder, found)?, rows);
    let new = merged.changes.iter().filter_map(|change| match change {
        Change::Insert(after) => Some(after.email.identity()),
        Change::Restore { .. } | Change::Update { .. } => None,
    });
    let mut new = new.peekable();
    if new.peek().is_some() {
        refuse_blocked(decoder.storage, connection, company, new)?;
    }
    Ok(merged)
}

fn identities(rows: &[NewContact]) -> Vec<String> {
    let mut identities: Vec<String> =
        rows.iter().map(|row| row.input.email.identity().to_owned()).collect();
    identities.sort_unstable();
    identities.dedup();
    identities
}

fn existing(
    connection: &mut Connection,
    decoder: &mut Decoder<'_>,
    rows: Vec<ContactRow>,
) -> Result<Vec<Existing>, Failure> {
    let mut existing = Vec::with_capacity(rows.len());
    for row in rows {
        let is_deleted = row.is_deleted;
        let values = decoder.decode(connection, &row.field_values)?;
        existing.push(Existing { contact: row.into_contact(values), is_deleted });
    }
    Ok(existing)
}
