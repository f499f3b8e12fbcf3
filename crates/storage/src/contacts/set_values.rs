//! Set values of many contacts at once, with as few statements as a [bulk](super::upsert_many).

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{Contact, ContactChange};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::time::Timestamp;

use super::document::Decoder;
use super::indexed::{self, Written};
use super::trace::Trace;
use super::write;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;

/// Changes the active contacts among these, and returns how many there are. The decoder has every field that the change
/// names.
pub(super) fn set_values(
    mut decoder: Decoder<'_>,
    connection: &mut Connection,
    by: &Author,
    ids: &[ContactId],
    change: &ContactChange,
    at: Timestamp,
) -> Result<Recorded<u64>, Failure> {
    let company = by.company;
    let locked = write::lock_by_ids(connection, company, ids)?;
    let found = u64::try_from(locked.len()).unwrap_or(u64::MAX);
    let mut changes: Vec<(Contact, Contact)> = Vec::new();
    for row in locked {
        let values = decoder.decode(connection, &row.field_values)?;
        let before = row.into_contact(values);
        let after = before.changed(change, at);
        if before != after {
            changes.push((before, after));
        }
    }
    if changes.is_empty() {
        return Ok(Recorded::unchanged(found));
    }
    let directory = decoder.directory(connection)?;
    let mut trace = Trace::default();
    for (before, after) in &changes {
        trace.counts.exchange(&directory, before, after)?;
        trace.entries.push(NewEntry::contact_updated(by, before, after));
    }
    let pairs: Vec<(&Contact, &Contact)> = changes.iter().map(|(b, a)| (b, a)).collect();
    write::change(connection, company, &pairs)?;
    let written: Vec<_> =
        pairs.iter().map(|(before, after)| Written::changed(before, after)).collect();
    indexed::write(decoder.storage, connection, company, &directory, &written)?;
    let counts = [("updated", found)];
    trace.audit = Some(NewAuditEntry::of_many(by, AuditAction::ContactsUpdated, at, &counts));
    let entry = trace.write(decoder.storage, connection, company)?;
    Ok(Recorded::by(entry, found))
}
