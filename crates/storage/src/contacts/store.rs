//! The contacts port.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::time::Instant;

use contact_hub_domain::author::Author;
use contact_hub_domain::contacts::{
    ChangeContactOutcome, Contact, ContactChange, ContactStore, CreateContactOutcome,
    DeleteContactOutcome, ExpectedVersion, ListOutcome, ListQuery, LookupOutcome, NewContact, Part,
    PartRequest, ReplaceValuesOutcome, UpsertOutcome, Wanted,
};
use contact_hub_domain::fields::{FieldKey, FieldStore, Replacing, ValueChanges};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::blocked_emails::unless_blocked;
use super::change::Correction;
use super::create_many::Creation;
use super::document::Decoder;
use super::lists::ListLimits;
use super::values::Replacement;
use super::{create, delete, look_up, read, set_values, upsert_many};
use crate::Storage;
use crate::connection::Connection;
use crate::units::{Reading, Writing};

/// The distinct keys.
fn named<'a>(keys: impl Iterator<Item = &'a FieldKey>) -> Vec<&'a str> {
    let keys: BTreeSet<&str> = keys.map(FieldKey::as_str).collect();
    keys.into_iter().collect()
}

#[async_trait]
impl ContactStore for Storage {
    async fn create(
        &self,
        by: Author,
        new: NewContact,
    ) -> Result<CreateContactOutcome, StoreError> {
        let company = by.company;
        let directory = self.directory(company, &named(new.input.values.keys())).await?;
        let creation = Creation { by, new, directory, call: None };
        let created = create::create(self, company, creation).await;
        unless_blocked(created, || CreateContactOutcome::EmailBlocked)
    }

    async fn read(&self, company: CompanyId, id: ContactId) -> Result<Option<Contact>, StoreError> {
        read::read_batched(self, company, id).await
    }

    async fn look_up(
        &self,
        company: CompanyId,
        wanted: Wanted,
        bytes: u32,
    ) -> Result<LookupOutcome, StoreError> {
        let (storage, began) = (self.clone(), Instant::now());
        let look_up = move |connection: &mut Connection, holds| {
            look_up::look_up(&storage, connection, company, &wanted, bytes, began, holds)
        };
        if let Some(call) = self.call() {
            call.only_locks();
            // The answer is kept in the same transaction. So an erasure finds it, or precedes it.
            let unit = move |connection: &mut Connection| look_up(connection, true);
            return self.write_unrecorded(Writing::Many(company), unit).await;
        }
        let unit = move |connection: &mut Connection| look_up(connection, false);
        self.read_anywhere(Reading::Many(company), unit).await
    }

    async fn list(
        &self,
        company: CompanyId,
        query: ListQuery,
        bytes: u32,
    ) -> Result<ListOutcome, StoreError> {
        self.list_page(company, query, ListLimits::default(), bytes).await
    }

    async fn list_part(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: PartRequest,
    ) -> Result<Part, StoreError> {
        self.list_part_within(company, query, part, ListLimits::default()).await
    }

    async fn upsert_many(
        &self,
        by: Author,
        rows: Vec<NewContact>,
        failed: u64,
        at: Timestamp,
    ) -> Result<UpsertOutcome, StoreError> {
        let company = by.company;
        let keys = rows.iter().flat_map(|row| row.input.values.keys());
        let directory = self.directory(company, &named(keys)).await?;
        let (storage, rows) = (self.clone(), Arc::new(rows));
        let new = Arc::clone(&rows);
        let unit = move |connection: &mut Connection| {
            if new.is_empty() {
                return upsert_many::record_rejected(connection, &by, failed, at);
            }
            let decoder = Decoder::knowing(&storage, company, Arc::clone(&directory));
            upsert_many::upsert_many(decoder, connection, &by, &new, failed, at)
        };
        let merged = self.write_deferring(company, Writing::Many(company), unit).await;
        let merged = merged.map(UpsertOutcome::Merged);
        unless_blocked(merged, || UpsertOutcome::EmailsBlocked(Arc::unwrap_or_clone(rows)))
    }

    async fn preview_many(
        &self,
        company: CompanyId,
        rows: Vec<NewContact>,
    ) -> Result<UpsertOutcome, StoreError> {
        let (storage, rows) = (self.clone(), Arc::new(rows));
        let new = Arc::clone(&rows);
        let unit = move |connection: &mut Connection| {
            let decoder = Decoder::new(&storage, company);
            upsert_many::preview_many(decoder, connection, company, &new)
        };
        let merged = self.read(Reading::Many(company), unit).await.map(UpsertOutcome::Merged);
        unless_blocked(merged, || UpsertOutcome::EmailsBlocked(Arc::unwrap_or_clone(rows)))
    }

    async fn change(
        &self,
        by: Author,
        id: ContactId,
        change: ContactChange,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ChangeContactOutcome, StoreError> {
        let company = by.company;
        let directory = self.directory(company, &named(change.values.keys())).await?;
        let storage = self.clone();
        let correction = Correction { by, id, change, directory, expected, at };
        let unit = move |connection: &mut Connection| correction.run(&storage, connection);
        let changed = self.write_deferring(company, company, unit).await;
        unless_blocked(changed, || ChangeContactOutcome::EmailBlocked)
    }

    async fn delete(
        &self,
        by: Author,
        id: ContactId,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<DeleteContactOutcome, StoreError> {
        let company = by.company;
        let storage = self.clone();
        self.write_deferring(company, company, move |connection| {
            delete::delete(&storage, connection, &by, id, &expected, at)
        })
        .await
    }

    async fn delete_many(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let company = by.company;
        let storage = self.clone();
        self.write_deferring(company, Writing::Many(company), move |connection| {
            delete::delete_many(&storage, connection, &by, &ids, at)
        })
        .await
    }

    async fn set_values(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        values: ValueChanges,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let company = by.company;
        let directory = self.directory(company, &named(values.keys())).await?;
        let storage = self.clone();
        let change = ContactChange { values, ..ContactChange::default() };
        self.write_deferring(company, Writing::Many(company), move |connection| {
            let decoder = Decoder::knowing(&storage, company, Arc::clone(&directory));
            set_values::set_values(decoder, connection, &by, &ids, &change, at)
        })
        .await
    }

    async fn replace_values(
        &self,
        by: Author,
        id: ContactId,
        values: Replacing,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ReplaceValuesOutcome, StoreError> {
        let company = by.company;
        let directory = self.directory(company, &named(values.values.keys())).await?;
        let storage = self.clone();
        let replacement = Replacement { by, id, values, directory, expected, at };
        self.write_deferring(company, company, move |connection| {
            replacement.run(&storage, connection)
        })
        .await
    }
}
