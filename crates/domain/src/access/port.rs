//! What the access capability asks of a store.

use std::sync::Arc;

use async_trait::async_trait;

use super::{ApiKey, Company, KeyHolder, TokenHash, User};
use crate::ids::{ApiKeyId, CompanyId, UserId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// What came of creating a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateUserOutcome {
    /// It is stored.
    Created,
    /// There is no such company.
    CompanyUnknown,
    /// A user of the company has the email's identity.
    EmailTaken,
}

/// Keeps companies, users and keys.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// Who holds the key with this hash, unless it is revoked or unknown.
    ///
    /// Asked on every request, so an implementation remembers answers, but none for longer than about a second: a
    /// revocation, a lost permission and a changed company are seen within it by every instance.
    async fn holder(&self, hash: TokenHash) -> Result<Option<Arc<KeyHolder>>, StoreError>;

    /// Stores a company.
    async fn create_company(&self, company: Company) -> Result<(), StoreError>;

    /// Stores a user of an existing company.
    async fn create_user(&self, user: User) -> Result<CreateUserOutcome, StoreError>;

    /// Stores a key of an existing user; false when there is no such user in the company (in any, when it is `None`).
    async fn create_key(
        &self,
        company: Option<CompanyId>,
        key: ApiKey,
        hash: TokenHash,
    ) -> Result<bool, StoreError>;

    /// Revokes a key of the company (of any, when it is `None`); false when there is none. Revoking twice keeps the
    /// first moment.
    async fn revoke_key(
        &self,
        company: Option<CompanyId>,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores the first company with its owner and key, all or none, unless there is a company; then false. Of
    /// concurrent calls one at most returns true.
    async fn bootstrap(
        &self,
        company: Company,
        owner: User,
        key: ApiKey,
        hash: TokenHash,
    ) -> Result<bool, StoreError>;

    /// Records when keys were last used; an earlier moment than the stored one is ignored.
    async fn record_use(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError>;

    /// The keys of a user, oldest first; empty when the user has none or is unknown.
    async fn keys_of(&self, user: UserId) -> Result<Vec<ApiKey>, StoreError>;
}
