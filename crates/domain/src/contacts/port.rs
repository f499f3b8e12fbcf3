//! The store port of contacts.

use async_trait::async_trait;

use super::{
    Contact, ContactChange, ContactDetail, ExpectedVersion, ListQuery, LookupOutcome, Merged,
    NewContact, Part, PartRequest, Wanted,
};
use crate::author::Author;
use crate::fields::{Replacing, ValueChanges};
use crate::ids::{CompanyId, ContactId};
use crate::page::Page;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The outcome of creating a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateContactOutcome {
    /// No row had the email's identity; this is the new contact.
    Created(Contact),
    /// A deleted contact had it; this is the contact restored.
    Restored(Contact),
    /// This active contact has it; nothing was written.
    EmailTaken(ContactId),
    /// The email may be blocked; nothing was written.
    EmailBlocked,
}

/// The outcome of writing many contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// What the rows changed.
    Merged(Merged),
    /// The emails of some of the rows, which are these, may be blocked; nothing was written.
    EmailsBlocked(Vec<NewContact>),
}

/// The outcome of changing a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeContactOutcome {
    /// The contact as it is now, with all fields of its values. The fields are those of the transaction: after a write, a
    /// call with an idempotency key reads nothing more.
    Changed(ContactDetail),
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
    /// This other active contact has the email; nothing was written.
    EmailTaken(ContactId),
    /// A deleted contact has the email; nothing was written.
    EmailOfDeleted,
    /// The email may be blocked; nothing was written.
    EmailBlocked,
}

/// The outcome of deleting a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteContactOutcome {
    /// It is deleted.
    Deleted,
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
}

/// The outcome of replacing a contact's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplaceValuesOutcome {
    /// The contact as it is now.
    Replaced(Contact),
    /// The company has no such active contact.
    NotFound,
    /// It is not at the expected version.
    Stale,
}

/// The outcome of reading a page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListOutcome {
    /// The page.
    Listed(Page<Contact>),
    /// The values of its contacts have more bytes than allowed.
    TooLarge,
}

/// Stores the contacts of all companies. A size in bytes is that of the values as JSON, as
/// [`FieldValue::write_json`](crate::fields::FieldValue::write_json) writes them, with or without their keys.
///
/// Each method is one transaction, sees one company only, and returns contacts whose values are valid for their fields.
///
/// The use case looks up blocked emails before a write. One may be blocked in between, so the write checks new emails
/// again in its transaction, with the key of an earlier call of [`ErasureStore::blocked`](super::ErasureStore::blocked).
/// If one is blocked, or the company has blocked emails and the store has no key yet, it writes nothing and says so.
/// The use case then looks them up, and either rejects the email or writes again.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ContactStore: Send + Sync {
    /// Stores a contact unless an active one has its email identity.
    ///
    /// Exactly one of several concurrent calls with the same identity creates or restores. It stores
    /// [`NewContact::created`] or [`NewContact::restored`].
    async fn create(&self, by: Author, new: NewContact)
    -> Result<CreateContactOutcome, StoreError>;

    /// The active contact with this id.
    async fn read(&self, company: CompanyId, id: ContactId) -> Result<Option<Contact>, StoreError>;

    /// The active contacts with these ids or email identities, in any order, unless their stored values have more than
    /// this many bytes.
    async fn look_up(
        &self,
        company: CompanyId,
        wanted: Wanted,
        bytes: u32,
    ) -> Result<LookupOutcome, StoreError>;

    /// A page of the active contacts that match all conditions and terms, in the order of the sorts and then of the
    /// ids, with the exact total. Page and total are read at one moment. If the query does not omit values, and those of
    /// the page have more than this many bytes, it is too large.
    async fn list(
        &self,
        company: CompanyId,
        query: ListQuery,
        bytes: u32,
    ) -> Result<ListOutcome, StoreError>;

    /// A part of the same list, without a total; the query's page is ignored. The cost of a part after a place does not
    /// depend on the position of the place.
    async fn list_part(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: PartRequest,
    ) -> Result<Part, StoreError>;

    /// Creates, restores and updates by email identity, with the effect of row by row in their order.
    ///
    /// `failed` is how many other rows of the call were rejected, for the audit, which also records calls without a
    /// valid row.
    ///
    /// It locks the existing rows and stores the result of [`merge`](super::merge()). The number of statements does not
    /// depend on the number of rows. Concurrent calls do not deadlock.
    async fn upsert_many(
        &self,
        by: Author,
        rows: Vec<NewContact>,
        failed: u64,
        at: Timestamp,
    ) -> Result<UpsertOutcome, StoreError>;

    /// What [`ContactStore::upsert_many`] would do now. Nothing is written.
    async fn preview_many(
        &self,
        company: CompanyId,
        rows: Vec<NewContact>,
    ) -> Result<UpsertOutcome, StoreError>;

    /// Changes an active contact, as [`Contact::changed`], if it is at the `expected` version and no other contact,
    /// including deleted ones, has the new email's identity.
    ///
    /// At most one of several concurrent calls that expect the same version changes the contact. Concurrent calls do
    /// not deadlock.
    async fn change(
        &self,
        by: Author,
        id: ContactId,
        change: ContactChange,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ChangeContactOutcome, StoreError>;

    /// Deletes an active contact, if it is at the `expected` version.
    async fn delete(
        &self,
        by: Author,
        id: ContactId,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<DeleteContactOutcome, StoreError>;

    /// Deletes the active contacts of the company with these ids, and returns their number. The audit records the call
    /// even if there are none.
    async fn delete_many(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Merges the same values into each of the company's active contacts with these ids, as [`Contact::changed`], and
    /// returns the number of these contacts.
    async fn set_values(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        values: ValueChanges,
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Replaces all values of an active contact, as [`Contact::with_values`], if it is at the `expected` version.
    async fn replace_values(
        &self,
        by: Author,
        id: ContactId,
        values: Replacing,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Result<ReplaceValuesOutcome, StoreError>;
}
