//! Reads everything of a company, for its export by an operator.

use async_trait::async_trait;

use crate::contacts::Contact;
use crate::ids::{AssetId, CompanyId, DeliveryId};
use crate::ports::StoreError;

/// A contact as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredContact {
    /// The contact.
    pub contact: Contact,
    /// Whether it is deleted, and could be restored.
    pub is_deleted: bool,
}

/// Reads data in parts that lists return only by page, or not at all. Each part begins after the last entry of the
/// previous part, and has at most `limit` entries.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CompanyContents: Send + Sync {
    /// The contacts, active and deleted, in the order of the identities of their emails, after an identity.
    async fn stored_contacts(
        &self,
        company: CompanyId,
        after: String,
        limit: u32,
    ) -> Result<Vec<StoredContact>, StoreError>;

    /// The assets, in the order of their ids.
    async fn asset_ids(
        &self,
        company: CompanyId,
        after: Option<AssetId>,
        limit: u32,
    ) -> Result<Vec<AssetId>, StoreError>;

    /// The deliveries, in the order of their ids.
    async fn delivery_ids(
        &self,
        company: CompanyId,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError>;
}
