//! The store port of erasures.

use async_trait::async_trait;

use crate::author::Author;
use crate::ids::ContactId;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// Erases contacts.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ErasureStore: Send + Sync {
    /// Removes a contact, active or deleted, from all that is stored, in one transaction: its row; its values, and the
    /// counts of those that nobody else has; the names in its entries of the change feed; and its entries in the
    /// payloads of events. Only an entry of the erasure is added. Returns false when the company has no such contact.
    async fn erase(&self, by: Author, id: ContactId, at: Timestamp) -> Result<bool, StoreError>;
}
