//! Replace the values of one contact.

use std::sync::Arc;

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{ExpectedVersion, ReplaceValuesOutcome};
use contact_hub_domain::fields::{Directory, Replacing};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::time::Timestamp;

use super::document::{Decoder, encode};
use super::indexed::{self, Written};
use super::trace::Trace;
use super::write;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::statement;

/// A replacement of all values of a contact.
pub(super) struct Replacement {
    pub(super) by: Author,
    pub(super) id: ContactId,
    pub(super) values: Replacing,
    /// Has every field of the values.
    pub(super) directory: Arc<Directory>,
    pub(super) expected: ExpectedVersion,
    pub(super) at: Timestamp,
}

impl Replacement {
    pub(super) fn run(
        &self,
        storage: &Storage,
        connection: &mut Connection,
    ) -> Result<Recorded<ReplaceValuesOutcome>, Failure> {
        let locked = write::lock_by_ids(connection, self.by.company, &[self.id])?.pop();
        let Some(row) = locked else {
            return Ok(Recorded::unchanged(ReplaceValuesOutcome::NotFound));
        };
        if !self.expected.permits(row.version()) {
            return Ok(Recorded::unchanged(ReplaceValuesOutcome::Stale));
        }
        let mut decoder = Decoder::knowing(storage, self.by.company, Arc::clone(&self.directory));
        let values = decoder.decode(connection, &row.field_values)?;
        let before = row.into_contact(values);
        let after = before.with_values(&self.values, self.at);
        if before == after {
            return Ok(Recorded::unchanged(ReplaceValuesOutcome::Replaced(after)));
        }
        let text =
            "UPDATE contacts SET field_values = ?, updated_at = ? WHERE id = ? AND company_id = ?";
        let update = statement(text)
            .bind(encode(&after.field_values))
            .bind(after.updated_at)
            .bind(after.id)
            .bind(self.by.company);
        connection.execute(update)?;
        let directory = decoder.directory(connection)?;
        let written = Written::changed(&before, &after);
        indexed::write(storage, connection, self.by.company, &directory, &[written])?;
        let mut trace = Trace::default();
        trace.counts.exchange(&directory, &before, &after)?;
        trace.entries.push(NewEntry::contact_updated(&self.by, &before, &after));
        let entry = trace.write(storage, connection, self.by.company)?;
        Ok(Recorded::by(entry, ReplaceValuesOutcome::Replaced(after)))
    }
}
