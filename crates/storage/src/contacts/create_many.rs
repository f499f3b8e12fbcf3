//! The transaction that creates one or several contacts, each as if it were alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::contacts::{Contact, CreateContactOutcome, NewContact};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};

use super::document::Decoder;
use super::indexed::{self, Written};
use super::rows::ContactRow;
use super::trace::Trace;
use super::write;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::idempotency::Handover;
use crate::recorded::Recorded;

/// A contact to create.
pub(crate) struct Creation {
    pub(super) by: Author,
    pub(super) new: NewContact,
    /// Has every field of its values.
    pub(super) directory: Arc<Directory>,
    /// The call with an idempotency key that creates it.
    pub(super) call: Option<Arc<Handover<CreateContactOutcome>>>,
}

impl Creation {
    fn identity(&self) -> &str {
        self.new.input.email.identity()
    }
}

/// Creates contacts, in their order of arrival; the outcomes have the same order. A creation without an outcome needs its
/// own transaction.
///
/// `known` is called with the outcomes as soon as the contacts are written, before the transaction writes anything
/// else.
///
/// It inserts first, since a conflict is rare. Only when nothing was inserted does it lock the holders of the emails, to
/// restore deleted contacts: a transaction that held both new identities and locks on contacts could deadlock with others.
pub(super) fn create_many(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    creations: &[Arc<Creation>],
    known: impl FnOnce(&[Option<CreateContactOutcome>]) -> Result<(), Failure>,
) -> Result<Recorded<Vec<Option<CreateContactOutcome>>>, Failure> {
    let mut created = insert(storage, connection, company, creations)?;
    if created.is_empty() {
        return Restoring { storage, company, creations }.run(connection, known);
    }
    let others = creations.iter().filter(|it| !created.contains_key(&it.new.id));
    let active = active_holders(connection, company, others)?;
    let outcome = |creation: &Arc<Creation>| match created.remove(&creation.new.id) {
        Some(contact) => Some(CreateContactOutcome::Created(contact)),
        None => active.get(creation.identity()).copied().map(CreateContactOutcome::EmailTaken),
    };
    let outcomes: Vec<_> = creations.iter().map(outcome).collect();
    known(&outcomes)?;
    let (mut trace, mut written) = (Trace::default(), Vec::new());
    for (creation, outcome) in creations.iter().zip(&outcomes) {
        if let Some(CreateContactOutcome::Created(contact)) = outcome {
            trace.counts.gain(&creation.directory, contact)?;
            trace.entries.push(NewEntry::contact_created(&creation.by, contact));
            written.push(Written::active(contact));
        }
    }
    if let Some(directory) = fullest(creations) {
        indexed::write(storage, connection, company, directory, &written)?;
    }
    let entries = trace.write(storage, connection, company)?;
    Ok(Recorded::by(entries, outcomes))
}

/// The directory with the most fields: it has all fields of the values.
fn fullest(creations: &[Arc<Creation>]) -> Option<&Directory> {
    let directories = creations.iter().map(|creation| creation.directory.as_ref());
    directories.max_by_key(|directory| directory.fields().len())
}

/// Inserts the first contact of each identity that is free.
fn insert(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    creations: &[Arc<Creation>],
) -> Result<HashMap<ContactId, Contact>, Failure> {
    let mut firsts: BTreeMap<&str, &NewContact> = BTreeMap::new();
    for creation in creations {
        firsts.entry(creation.identity()).or_insert(&creation.new);
    }
    let contacts: Vec<Contact> = firsts.into_values().map(NewContact::created).collect();
    let new: Vec<&Contact> = contacts.iter().collect();
    let inserted = write::insert(storage, connection, company, &new)?;
    let mut contacts: HashMap<_, _> = contacts.into_iter().map(|it| (it.id, it)).collect();
    Ok(inserted.into_iter().filter_map(|id| contacts.remove_entry(&id)).collect())
}

/// The active contacts that have the emails of creations, by identity. They are read without a lock.
fn active_holders<'a>(
    connection: &mut Connection,
    company: CompanyId,
    creations: impl Iterator<Item = &'a Arc<Creation>>,
) -> Result<HashMap<String, ContactId>, Failure> {
    let identities: BTreeSet<&str> = creations.map(|it| it.identity()).collect();
    if identities.is_empty() {
        return Ok(HashMap::new());
    }
    let identities = identities.into_iter().map(str::to_owned).collect();
    let rows = write::find_by_identities(connection, company, identities)?;
    let active = rows.into_iter().filter(|row| !row.is_deleted);
    Ok(active.map(|row| (row.email_identity(), row.id())).collect())
}

/// Who has an email identity.
enum Holder {
    Active(ContactId),
    Deleted(ContactRow),
}

/// Restores the contacts whose identities deleted contacts have.
struct Restoring<'a> {
    storage: &'a Storage,
    company: CompanyId,
    creations: &'a [Arc<Creation>],
}

impl Restoring<'_> {
    fn run(
        &self,
        connection: &mut Connection,
        known: impl FnOnce(&[Option<CreateContactOutcome>]) -> Result<(), Failure>,
    ) -> Result<Recorded<Vec<Option<CreateContactOutcome>>>, Failure> {
        let mut holders = self.lock_holders(connection)?;
        if holders.is_empty() {
            return Err(Failure::Overtaken);
        }
        let (mut outcomes, mut trace) =
            (Vec::with_capacity(self.creations.len()), Trace::default());
        for creation in self.creations {
            outcomes.push(match holders.remove(creation.identity()) {
                None => None,
                Some(Holder::Active(id)) => {
                    holders.insert(creation.identity().to_owned(), Holder::Active(id));
                    Some(CreateContactOutcome::EmailTaken(id))
                }
                Some(Holder::Deleted(row)) => {
                    let restored = self.restored(connection, creation, row, &mut trace)?;
                    holders.insert(creation.identity().to_owned(), Holder::Active(restored.id));
                    Some(CreateContactOutcome::Restored(restored))
                }
            });
        }
        let restored: Vec<&Contact> = outcomes.iter().flatten().filter_map(restored).collect();
        if restored.is_empty() {
            known(&outcomes)?;
            return Ok(Recorded::unchanged(outcomes));
        }
        write::update(connection, self.company, &restored)?;
        known(&outcomes)?;
        let written: Vec<_> = restored.iter().copied().map(Written::active).collect();
        if let Some(directory) = fullest(self.creations) {
            indexed::write(self.storage, connection, self.company, directory, &written)?;
        }
        let entries = trace.write(self.storage, connection, self.company)?;
        Ok(Recorded::by(entries, outcomes))
    }

    fn lock_holders(
        &self,
        connection: &mut Connection,
    ) -> Result<HashMap<String, Holder>, Failure> {
        let identities: BTreeSet<&str> = self.creations.iter().map(|it| it.identity()).collect();
        let identities = identities.into_iter().map(str::to_owned).collect();
        let rows = write::lock_by_identities(connection, self.company, identities)?;
        let holder = |row: ContactRow| {
            let identity = row.email_identity();
            let deleted = row.is_deleted;
            (identity, if deleted { Holder::Deleted(row) } else { Holder::Active(row.id()) })
        };
        Ok(rows.into_iter().map(holder).collect())
    }

    fn restored(
        &self,
        connection: &mut Connection,
        creation: &Creation,
        row: ContactRow,
        trace: &mut Trace,
    ) -> Result<Contact, Failure> {
        let directory = Arc::clone(&creation.directory);
        let mut decoder = Decoder::knowing(self.storage, self.company, directory);
        let values = decoder.decode(connection, &row.field_values)?;
        let deleted = row.into_contact(values);
        let restored = creation.new.restored(&deleted);
        trace.counts.gain(decoder.directory(connection)?.as_ref(), &restored)?;
        trace.entries.push(NewEntry::contact_restored(&creation.by, &deleted, &restored));
        Ok(restored)
    }
}

const fn restored(outcome: &CreateContactOutcome) -> Option<&Contact> {
    match outcome {
        CreateContactOutcome::Restored(contact) => Some(contact),
        _ => None,
    }
}
