//! The store port of access.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    ApiKey, Company, CompanyChange, CompanyKey, KeyHolder, Link, TokenHash, User, UserDraft,
};
use crate::author::Author;
use crate::ids::{ApiKeyId, CompanyId, UserId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::violations::Violations;

/// The outcome of creating a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateUserOutcome {
    /// It is stored.
    Created,
    /// There is no such company.
    CompanyUnknown,
    /// A user of the company has the email's identity.
    EmailTaken,
    /// The company has the maximum number of users.
    Full,
}

/// The outcome of creating a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateKeyOutcome {
    /// It is stored.
    Created,
    /// There is no such user.
    UserUnknown,
    /// The user has the maximum number of valid keys.
    Full,
}

/// The outcome of changing a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeUserOutcome {
    /// The user after the change.
    Changed(User),
    /// The company has no user with this id.
    NotFound,
    /// The change has these violations.
    Refused(Violations),
    /// Another user of the company has the email's identity.
    EmailTaken,
    /// The caller would no longer manage access.
    OwnAccess,
    /// The caller no longer manages access.
    Denied,
}

/// The outcome of deleting a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteUserOutcome {
    /// The user is deleted, with its keys, password, sessions and link.
    Deleted,
    /// The company has no user with this id.
    NotFound,
    /// The caller no longer manages access.
    Denied,
}

/// The outcome of reading a key of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfUser<T> {
    /// The key.
    Found(T),
    /// The user has no key with this id.
    KeyNotFound,
    /// The company has no user with this id.
    UserNotFound,
}

/// Stores companies, users and keys.
///
/// An instance sees its own changes at once, and those of others within about a second.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// The holder of the key with this hash; `None` when it is revoked or unknown.
    ///
    /// Every request calls this, so an implementation caches results, for at most about a second. Within that time
    /// every instance sees a revocation, a lost permission and a changed company.
    async fn holder(&self, hash: TokenHash) -> Result<Option<Arc<KeyHolder>>, StoreError>;

    /// Stores a company.
    async fn create_company(&self, company: Company) -> Result<(), StoreError>;

    /// Stores a user of an existing company, unless the company already has `max` users. A taken email is reported
    /// before a full company. Concurrent calls never exceed `max`.
    async fn create_user(
        &self,
        by: Author,
        user: User,
        max: usize,
    ) -> Result<CreateUserOutcome, StoreError>;

    /// Stores a user with its first key, as [`AccessStore::create_user`] stores a user, in one transaction.
    async fn create_user_with_key(
        &self,
        by: Author,
        user: User,
        max: usize,
        key: (ApiKey, TokenHash),
    ) -> Result<CreateUserOutcome, StoreError>;

    /// Stores a key of an existing user of the author's company (of any company for an operator, `None`), unless the
    /// user already has `max` keys that are neither revoked nor, when the key is created, expired. Concurrent calls
    /// never exceed `max`.
    async fn create_key(
        &self,
        by: Option<Author>,
        key: ApiKey,
        hash: TokenHash,
        max: usize,
    ) -> Result<CreateKeyOutcome, StoreError>;

    /// Revokes a key of the author's company (of any company for an operator, `None`); false when there is none.
    /// Revoking twice keeps the first moment.
    async fn revoke_key(
        &self,
        by: Option<Author>,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores the first company with its owner and the owner's key and link in one transaction. False when there is a
    /// company. At most one of several concurrent calls returns true.
    async fn bootstrap(
        &self,
        company: Company,
        owner: User,
        key: (ApiKey, TokenHash),
        link: (Link, TokenHash),
    ) -> Result<bool, StoreError>;

    /// Records when keys were last used; an earlier moment than the stored one is ignored.
    async fn record_use(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError>;

    /// The keys of a user, oldest first; empty when the user has none or is unknown.
    async fn keys_of(&self, user: UserId) -> Result<Vec<ApiKey>, StoreError>;

    /// A page of the company's users, the oldest first.
    async fn list_users(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<User>, StoreError>;

    /// A user of the company.
    async fn read_user(&self, company: CompanyId, id: UserId) -> Result<Option<User>, StoreError>;

    /// Changes a user of the company by [`UserDraft::apply`]. The author must manage access in the same transaction,
    /// before and after the change: of two users who remove each other's permission concurrently, at most one succeeds.
    async fn change_user(
        &self,
        by: Author,
        id: UserId,
        change: UserDraft,
        at: Timestamp,
    ) -> Result<ChangeUserOutcome, StoreError>;

    /// Deletes a user of the company, with its keys, password, sessions and link. The author must manage access in the
    /// same transaction, and be another user.
    async fn delete_user(
        &self,
        by: Author,
        id: UserId,
        at: Timestamp,
    ) -> Result<DeleteUserOutcome, StoreError>;

    /// A page of the keys of a user of the company, the oldest first; `None` when there is no such user.
    async fn list_keys(
        &self,
        company: CompanyId,
        user: UserId,
        page: PageRequest,
    ) -> Result<Option<Page<ApiKey>>, StoreError>;

    /// A page of the keys of all users of the company, by the users' emails and then the oldest first.
    async fn list_company_keys(
        &self,
        company: CompanyId,
        page: PageRequest,
    ) -> Result<Page<CompanyKey>, StoreError>;

    /// A key of a user of the company.
    async fn read_key(
        &self,
        company: CompanyId,
        user: UserId,
        id: ApiKeyId,
    ) -> Result<OfUser<ApiKey>, StoreError>;

    /// Revokes a key of a user of the company. Revoking twice keeps the first moment.
    async fn revoke_key_of(
        &self,
        by: Author,
        user: UserId,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<OfUser<()>, StoreError>;

    /// The companies after this one in the order of their ids, at most `limit`; for operators.
    async fn list_companies(
        &self,
        after: Option<CompanyId>,
        limit: u32,
    ) -> Result<Vec<Company>, StoreError>;

    /// A company; `None` when there is none.
    async fn read_company(&self, id: CompanyId) -> Result<Option<Company>, StoreError>;

    /// Changes a company by [`CompanyChange::apply`]; `None` when there is none.
    async fn change_company(
        &self,
        by: Author,
        change: CompanyChange,
        at: Timestamp,
    ) -> Result<Option<Result<Company, Violations>>, StoreError>;
}
