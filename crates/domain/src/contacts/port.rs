//! What the contacts capability asks of a store.

use async_trait::async_trait;

use super::{Contact, NewContact};
use crate::ids::{CompanyId, ContactId};
use crate::ports::StoreError;

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
}
