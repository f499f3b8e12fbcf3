//! Change one contact, its email included.

use std::iter;
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error};

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{
    ChangeContactOutcome, Contact, ContactChange, ContactDetail, ExpectedVersion,
};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::time::Timestamp;

use super::blocked_emails::refuse_blocked;
use super::document::Decoder;
use super::indexed::{self, Written};
use super::locked;
use super::rows::ContactRow;
use super::trace::Trace;
use super::write;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::{sql, statement};

/// A change of one contact.
pub(super) struct Correction {
    pub(super) by: Author,
    pub(super) id: ContactId,
    pub(super) change: ContactChange,
    /// Has every field of the change's values.
    pub(super) directory: Arc<Directory>,
    pub(super) expected: ExpectedVersion,
    pub(super) at: Timestamp,
}

impl Correction {
    pub(super) fn run(
        &self,
        storage: &Storage,
        connection: &mut Connection,
    ) -> Result<Recorded<ChangeContactOutcome>, Failure> {
        let locked = self.lock(connection)?;
        let (own, others): (Vec<_>, Vec<_>) =
            locked.into_iter().partition(|row| row.id() == self.id);
        let Some(row) = own.into_iter().find(|row| !row.is_deleted) else {
            return Ok(Recorded::unchanged(ChangeContactOutcome::NotFound));
        };
        if !self.expected.permits(row.version()) {
            return Ok(Recorded::unchanged(ChangeContactOutcome::Stale));
        }
        if let Some(holder) = others.first() {
            return Ok(Recorded::unchanged(if holder.is_deleted {
                ChangeContactOutcome::EmailOfDeleted
            } else {
                ChangeContactOutcome::EmailTaken(holder.id())
            }));
        }
        let mut decoder = Decoder::knowing(storage, self.by.company, Arc::clone(&self.directory));
        let values = decoder.decode(connection, &row.field_values)?;
        let before = row.into_contact(values);
        let after = before.changed(&self.change, self.at);
        let directory = decoder.directory(connection)?;
        if before == after {
            let unchanged = ContactDetail::of(after, directory);
            return Ok(Recorded::unchanged(ChangeContactOutcome::Changed(unchanged)));
        }
        self.write(storage, connection, &before, &after)?;
        let written = Written::changed(&before, &after);
        indexed::write(storage, connection, self.by.company, &directory, &[written])?;
        let mut trace = Trace::default();
        trace.counts.exchange(&directory, &before, &after)?;
        trace.entries.push(NewEntry::contact_updated(&self.by, &before, &after));
        let entry = trace.write(storage, connection, self.by.company)?;
        let changed = ContactDetail::of(after, directory);
        Ok(Recorded::by(entry, ChangeContactOutcome::Changed(changed)))
    }

    /// Locks the contact and the holder of a new email in one statement, which keeps the lock order.
    fn lock(&self, connection: &mut Connection) -> Result<Vec<ContactRow>, Failure> {
        let holder = self.change.email.as_ref().map(|email| {
            let holder = statement(" OR (company_id = ? AND email_identity = ?)");
            holder.bind(self.by.company).bind(email.identity())
        });
        let contact = statement("(company_id = ? AND id = ?)").bind(self.by.company).bind(self.id);
        locked::lock(connection, sql!("{}{}", contact, holder))
    }

    /// The identity is updated by a separate statement: no other write changes it, so the others need not touch its
    /// index.
    fn write(
        &self,
        storage: &Storage,
        connection: &mut Connection,
        before: &Contact,
        after: &Contact,
    ) -> Result<(), Failure> {
        if before.email.identity() != after.email.identity() {
            let text = "UPDATE contacts SET email_identity = ? WHERE id = ? AND company_id = ?";
            let update =
                statement(text).bind(after.email.identity()).bind(self.id).bind(self.by.company);
            match connection.execute(update) {
                // A contact created in the meantime has the email.
                Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
                    return Err(Failure::Overtaken);
                }
                updated => updated?,
            };
            let identity = iter::once(after.email.identity());
            refuse_blocked(storage, connection, self.by.company, identity)?;
        }
        write::change(connection, self.by.company, &[(before, after)])
    }
}
