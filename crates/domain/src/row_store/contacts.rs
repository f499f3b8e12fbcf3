//! The port of contacts.

use std::sync::Arc;

use async_trait::async_trait;

use super::rows::{CompanyRows, RowAdapter, RowStore, Stored, page};
use crate::author::Author;
use crate::contacts::{
    ChangeContactOutcome, Contact, ContactChange, ContactDetail, ContactStore,
    CreateContactOutcome, DeleteContactOutcome, Existing, ExpectedVersion, ListOutcome, ListQuery,
    LookupOutcome, Matchable, Merged, NewContact, Part, PartRequest, Place, ReplaceValuesOutcome,
    Start, UpsertOutcome, Wanted, merge,
};
use crate::fields::{Directory, Replacing, ValueChanges};
use crate::ids::{CompanyId, ContactId};
use crate::time::Timestamp;

#[async_trait]
impl<S: RowStore> ContactStore for RowAdapter<S> {
    async fn create(&self, by: Author, new: NewContact) -> Stored<CreateContactOutcome> {
        self.0.transaction(by.company, |rows| {
            let known = rows.contact_by_identity(new.input.email.identity())?;
            if let Some(holder) = known.as_ref().filter(|row| !row.is_deleted) {
                return Ok(CreateContactOutcome::EmailTaken(holder.contact.id));
            }
            let contact = known.as_ref().map(|row| new.restored(&row.contact));
            let restored = contact.is_some();
            let contact = contact.unwrap_or_else(|| new.created());
            put(rows, &contact)?;
            Ok(if restored {
                CreateContactOutcome::Restored(contact)
            } else {
                CreateContactOutcome::Created(contact)
            })
        })
    }

    async fn read(&self, company: CompanyId, id: ContactId) -> Stored<Option<Contact>> {
        self.0.transaction(company, |rows| active(rows, id))
    }

    async fn look_up(
        &self,
        company: CompanyId,
        wanted: Wanted,
        bytes: u32,
    ) -> Stored<LookupOutcome> {
        let found = self.0.transaction(company, |rows| {
            let mut found = Vec::new();
            match &wanted {
                Wanted::Ids(ids) => {
                    for id in ids {
                        found.extend(rows.contact(*id)?);
                    }
                }
                Wanted::Identities(identities) => {
                    for identity in identities {
                        found.extend(rows.contact_by_identity(identity)?);
                    }
                }
            }
            Ok(found)
        })?;
        let active = found.into_iter().filter(|row| !row.is_deleted).map(|row| row.contact);
        let contacts: Vec<Contact> = active.collect();
        let size: usize = contacts.iter().map(size_of_values).sum();
        let fits = u32::try_from(size).is_ok_and(|size| size <= bytes);
        Ok(if fits { LookupOutcome::Found(contacts) } else { LookupOutcome::TooLarge })
    }

    async fn list(&self, company: CompanyId, query: ListQuery, bytes: u32) -> Stored<ListOutcome> {
        let found = self.0.transaction(company, |rows| found(rows, &query))?;
        let page = page(query.page, found.into_iter().map(|(_, contact)| contact).collect());
        let size: usize = page.items.iter().map(size_of_values).sum();
        let fits = query.omits_values || u32::try_from(size).is_ok_and(|size| size <= bytes);
        Ok(if fits { ListOutcome::Listed(page) } else { ListOutcome::TooLarge })
    }

    async fn list_part(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: PartRequest,
    ) -> Stored<Part> {
        let found = self.0.transaction(company, |rows| found(rows, &query))?;
        let following = found.iter().position(|(place, _)| match &part.start {
            Start::Skipping(_) => true,
            Start::Behind(after) => query.sorts.compare(place, after).is_gt(),
        });
        let skipped = match part.start {
            Start::Skipping(contacts) => usize::try_from(contacts).unwrap_or(usize::MAX),
            Start::Behind(_) => 0,
        };
        let first = following.unwrap_or(found.len()).saturating_add(skipped);
        let mut rest = found.into_iter().skip(first).map(|(_, contact)| contact).peekable();
        let (mut contacts, mut bytes) = (Vec::new(), 0);
        while contacts.len() < usize::try_from(part.contacts).unwrap_or(usize::MAX)
            && bytes < usize::try_from(part.bytes).unwrap_or(usize::MAX)
        {
            let Some(contact) = rest.next() else { break };
            bytes += size_of_values(&contact);
            contacts.push(contact);
        }
        Ok(Part { contacts, goes_on: rest.peek().is_some() })
    }

    async fn upsert_many(
        &self,
        by: Author,
        new: Vec<NewContact>,
        _failed: u64,
        _at: Timestamp,
    ) -> Stored<UpsertOutcome> {
        self.0.transaction(by.company, |rows| {
            let merged = merged(rows, &new)?;
            for change in &merged.changes {
                put(rows, change.after())?;
            }
            Ok(UpsertOutcome::Merged(merged))
        })
    }

    async fn preview_many(
        &self,
        company: CompanyId,
        new: Vec<NewContact>,
    ) -> Stored<UpsertOutcome> {
        self.0.transaction(company, |rows| merged(rows, &new).map(UpsertOutcome::Merged))
    }

    async fn change(
        &self,
        by: Author,
        id: ContactId,
        change: ContactChange,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Stored<ChangeContactOutcome> {
        self.0.transaction(by.company, |rows| {
            let Some(contact) = active(rows, id)? else {
                return Ok(ChangeContactOutcome::NotFound);
            };
            if !expected.permits(contact.updated_at) {
                return Ok(ChangeContactOutcome::Stale);
            }
            let identity = change.email.as_ref().unwrap_or(&contact.email).identity();
            let holder = rows.contact_by_identity(identity)?;
            if let Some(holder) = holder.filter(|row| row.contact.id != id) {
                return Ok(if holder.is_deleted {
                    ChangeContactOutcome::EmailOfDeleted
                } else {
                    ChangeContactOutcome::EmailTaken(holder.contact.id)
                });
            }
            let changed = contact.changed(&change, at);
            put(rows, &changed)?;
            let directory = Arc::new(Directory::new(rows.fields()?));
            Ok(ChangeContactOutcome::Changed(ContactDetail::of(changed, directory)))
        })
    }

    async fn delete(
        &self,
        by: Author,
        id: ContactId,
        expected: ExpectedVersion,
        _at: Timestamp,
    ) -> Stored<DeleteContactOutcome> {
        self.0.transaction(by.company, |rows| match active(rows, id)? {
            None => Ok(DeleteContactOutcome::NotFound),
            Some(contact) if !expected.permits(contact.updated_at) => {
                Ok(DeleteContactOutcome::Stale)
            }
            Some(contact) => {
                rows.put_contact(Existing { contact, is_deleted: true })?;
                Ok(DeleteContactOutcome::Deleted)
            }
        })
    }

    async fn delete_many(&self, by: Author, ids: Vec<ContactId>, _at: Timestamp) -> Stored<u64> {
        self.0.transaction(by.company, |rows| {
            let mut deleted = 0;
            for id in ids {
                if let Some(contact) = active(rows, id)? {
                    rows.put_contact(Existing { contact, is_deleted: true })?;
                    deleted += 1;
                }
            }
            Ok(deleted)
        })
    }

    async fn set_values(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        values: ValueChanges,
        at: Timestamp,
    ) -> Stored<u64> {
        self.0.transaction(by.company, |rows| {
            let change = ContactChange { values, ..ContactChange::default() };
            let mut set = 0;
            for id in ids {
                if let Some(contact) = active(rows, id)? {
                    put(rows, &contact.changed(&change, at))?;
                    set += 1;
                }
            }
            Ok(set)
        })
    }

    async fn replace_values(
        &self,
        by: Author,
        id: ContactId,
        values: Replacing,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Stored<ReplaceValuesOutcome> {
        self.0.transaction(by.company, |rows| match active(rows, id)? {
            None => Ok(ReplaceValuesOutcome::NotFound),
            Some(contact) if !expected.permits(contact.updated_at) => {
                Ok(ReplaceValuesOutcome::Stale)
            }
            Some(contact) => {
                let replaced = contact.with_values(&values, at);
                put(rows, &replaced)?;
                Ok(ReplaceValuesOutcome::Replaced(replaced))
            }
        })
    }
}

fn active(rows: &dyn CompanyRows, id: ContactId) -> Stored<Option<Contact>> {
    Ok(rows.contact(id)?.filter(|row| !row.is_deleted).map(|row| row.contact))
}

fn put(rows: &mut dyn CompanyRows, contact: &Contact) -> Stored<()> {
    rows.put_contact(Existing { contact: contact.clone(), is_deleted: false })
}

fn merged(rows: &dyn CompanyRows, new: &[NewContact]) -> Stored<Merged> {
    let mut identities: Vec<_> = new.iter().map(|row| row.input.email.identity()).collect();
    identities.sort_unstable();
    identities.dedup();
    let mut existing = Vec::new();
    for identity in identities {
        existing.extend(rows.contact_by_identity(identity)?);
    }
    Ok(merge(existing, new))
}

/// All contacts that a query finds, in its order.
fn found(rows: &dyn CompanyRows, query: &ListQuery) -> Stored<Vec<(Place, Contact)>> {
    let active = rows.contacts()?.into_iter().filter(|row| !row.is_deleted);
    let fields = rows.fields()?;
    let matchable = active.map(|row| Matchable::of(row.contact, &fields));
    let found = matchable.filter(|row| query.finds(row)).map(|row| row.contact);
    let mut placed: Vec<(Place, Contact)> =
        found.map(|contact| (Place::of(&contact, &query.sorts), contact)).collect();
    placed.sort_by(|(one, _), (other, _)| query.sorts.compare(one, other));
    Ok(placed)
}

fn size_of_values(contact: &Contact) -> usize {
    contact.field_values.values().map(|value| value.to_json().len()).sum()
}
