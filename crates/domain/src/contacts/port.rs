//! What the contacts capability asks of a store.

use async_trait::async_trait;

use super::{Contact, ContactInput, ExpectedVersion, ExportPart, ListQuery, Merged, NewContact};
use crate::fields::FieldValues;
use crate::ids::{CompanyId, ContactId};
use crate::page::Page;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// What came of creating a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateContactOutcome {
    /// No row had the email's identity; this is the new contact.
    Created(Contact),
    /// A deleted contact had it; this is the contact restored.
    Restored(Contact),
    /// This active contact has it; nothing was written.
    EmailTaken(ContactId),
}

/// What came of changing a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeContactOutcome {
    /// The contact as it is now.
    Changed(Contact),
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
    /// This other active contact has the email; nothing was written.
    EmailTaken(ContactId),
    /// A deleted contact has the email; nothing was written.
    EmailOfDeleted,
}

/// What came of deleting a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteContactOutcome {
    /// It is deleted.
    Deleted,
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
}

/// What came of replacing a contact's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplaceValuesOutcome {
    /// The contact as it is now.
    Replaced(Contact),
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
}

/// Keeps the contacts of every company.
///
/// Each method is one transaction, sees one company alone, and returns contacts whose values are valid for their
/// fields.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ContactStore: Send + Sync {
    /// Stores a contact unless an active one has its email identity.
    ///
    /// Of any number of concurrent calls with one identity exactly one creates or restores. What is stored is
    /// [`NewContact::created`] or [`NewContact::restored`].
    async fn create(
        &self,
        company: CompanyId,
        new: NewContact,
    ) -> Result<CreateContactOutcome, StoreError>;

    /// The active contact with this id.
    async fn read(&self, company: CompanyId, id: ContactId) -> Result<Option<Contact>, StoreError>;

    /// The page of active contacts that fit every condition and in which every term occurs, in the order of the sorts and
    /// then of the ids, with the exact number of all that fit, as of one moment.
    async fn list(&self, company: CompanyId, query: ListQuery)
    -> Result<Page<Contact>, StoreError>;

    /// The active contacts of a part of an export that fit every condition and in which every term occurs, in the order of
    /// their creation and then of the ids. What it costs does not depend on how many come before the part.
    async fn list_after(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: ExportPart,
    ) -> Result<Vec<Contact>, StoreError>;

    /// Creates, restores and updates by email identity, as if row by row in their order.
    ///
    /// What is stored is [`merge`](super::merge()) of the rows that exist under a lock with the new ones. The number of
    /// statements does not depend on the number of rows. Crossing calls wait for each other and do not deadlock.
    async fn upsert_many(
        &self,
        company: CompanyId,
        rows: Vec<NewContact>,
    ) -> Result<Merged, StoreError>;

    /// Changes an active contact, as [`Contact::changed`], if it is at the `expected` version when there is one, and no
    /// other contact, deleted ones included, has the email's identity.
    ///
    /// Of any number of concurrent calls that expect one version at most one changes the contact. Crossing calls wait for
    /// each other and do not deadlock.
    async fn change(
        &self,
        company: CompanyId,
        id: ContactId,
        input: ContactInput,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ChangeContactOutcome, StoreError>;

    /// Deletes an active contact, if it is at the `expected` version when there is one.
    async fn delete(
        &self,
        company: CompanyId,
        id: ContactId,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<DeleteContactOutcome, StoreError>;

    /// Deletes those of the ids that are active contacts of the company and tells how many that were.
    async fn delete_many(
        &self,
        company: CompanyId,
        ids: Vec<ContactId>,
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Replaces all values of an active contact, as [`Contact::with_values`], if it is at the `expected` version when
    /// there is one.
    async fn replace_values(
        &self,
        company: CompanyId,
        id: ContactId,
        values: FieldValues,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ReplaceValuesOutcome, StoreError>;
}
