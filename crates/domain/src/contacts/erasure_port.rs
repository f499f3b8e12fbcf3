//! The store port of erasures.

use async_trait::async_trait;

use super::{BlockKey, EmailDigest, Known, PersonName};
use crate::author::Author;
use crate::email::Email;
use crate::ids::{CompanyId, ContactId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::webhooks::Sealed;

/// A deleted contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedContact {
    /// The service's id.
    pub id: ContactId,
    /// The address.
    pub email: Email,
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

/// Deleted contacts that a store reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedDeleted {
    /// Those with these ids, in any order.
    Ids(Vec<ContactId>),
    /// At most this many of those that were deleted before this contact, or of all; the last deleted first.
    After(Option<ContactId>, u32),
}

/// Erases and restores deleted contacts, stores which emails are blocked, and reads what is stored of one person.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ErasureStore: Send + Sync {
    /// Removes a contact, active or deleted, from all that is stored, in one transaction: its row; its values, and the
    /// counts of those that nobody else has; the names in its entries of the change feed; its entries in the
    /// payloads of events; and the kept answers of calls with a key that name it. An entry of the erasure is added and,
    /// with a key, the hash of its email. Returns false when the company has no such contact.
    async fn erase(
        &self,
        by: Author,
        id: ContactId,
        block: Option<BlockKey>,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// The same, with the service as author, for each of these contacts that is [overdue](Self::overdue) at `now`, which is also
    /// the time of the erasures; returns how many were. The company's setting is read in each transaction, and cannot
    /// change until it ends. An erasure that fails does not stop the others, unless the store is unavailable.
    async fn erase_overdue(
        &self,
        company: CompanyId,
        ids: Vec<ContactId>,
        now: Timestamp,
    ) -> Result<u64, StoreError>;

    /// The next company after this one, in the order of the ids, that erases deleted contacts.
    async fn next_erasing(&self, after: Option<CompanyId>)
    -> Result<Option<CompanyId>, StoreError>;

    /// Deleted contacts of a company.
    async fn deleted(
        &self,
        company: CompanyId,
        wanted: WantedDeleted,
    ) -> Result<Vec<DeletedContact>, StoreError>;

    /// Makes the deleted contacts among these active, as [`Contact::restored`](super::Contact::restored), and returns
    /// their number.
    async fn restore(
        &self,
        by: Author,
        ids: Vec<ContactId>,
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// At most `limit` contacts of a company that were deleted before `now` minus the period after which it erases them, the
    /// first deleted first; none if it has no such period.
    async fn overdue(
        &self,
        company: CompanyId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<ContactId>, StoreError>;

    /// What is stored about a contact, active or deleted, with at most `limit` entries and deliveries: the latest ones.
    async fn known(
        &self,
        company: CompanyId,
        id: ContactId,
        limit: u32,
    ) -> Result<Option<Known>, StoreError>;

    /// Which of these hashes, made with this key, are blocked. The store keeps the key for the checks of later
    /// [writes](super::ContactStore).
    async fn blocked(
        &self,
        company: CompanyId,
        digests: Vec<EmailDigest>,
        key: BlockKey,
    ) -> Result<Vec<EmailDigest>, StoreError>;

    /// Removes a hash, if it is there.
    async fn unblock(
        &self,
        by: Author,
        digest: EmailDigest,
        at: Timestamp,
    ) -> Result<(), StoreError>;

    /// The sealed key of the hashes; `None` before there was any.
    async fn block_key(&self) -> Result<Option<(WebhookSecretId, Sealed)>, StoreError>;

    /// Stores the key, unless there is one; returns the one that is stored.
    async fn keep_block_key(
        &self,
        id: WebhookSecretId,
        sealed: Sealed,
    ) -> Result<(WebhookSecretId, Sealed), StoreError>;
}
