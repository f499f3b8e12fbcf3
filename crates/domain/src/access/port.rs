//! What the access capability asks of a store.

use std::sync::Arc;

use async_trait::async_trait;

use super::{ApiKey, Company, CompanyChange, KeyHolder, Link, TokenHash, User, UserDraft};
use crate::ids::{ApiKeyId, CompanyId, UserId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::violations::Violations;

/// What came of creating a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateUserOutcome {
    /// It is stored.
    Created,
    /// There is no such company.
    CompanyUnknown,
    /// A user of the company has the email's identity.
    EmailTaken,
    /// The company has as many users as it may.
    Full,
}

/// What came of creating a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateKeyOutcome {
    /// It is stored.
    Created,
    /// There is no such user.
    UserUnknown,
    /// The user has as many valid keys as it may.
    Full,
}

/// What came of changing a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeUserOutcome {
    /// The user is this from now on.
    Changed(User),
    /// The company has no user with this id.
    NotFound,
    /// The change breaks these rules.
    Refused(Violations),
    /// Another user of the company has the email's identity.
    EmailTaken,
    /// The caller would no longer manage access.
    OwnAccess,
    /// The caller no longer manages access.
    Denied,
}

/// What came of deleting a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteUserOutcome {
    /// The user is gone, with everything by which it was known.
    Deleted,
    /// The company has no user with this id.
    NotFound,
    /// The caller no longer manages access.
    Denied,
}

/// What came of looking for a key of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfUser<T> {
    /// This.
    Found(T),
    /// The user has no key with this id.
    KeyNotFound,
    /// The company has no user with this id.
    UserNotFound,
}

/// Keeps companies, users and keys.
///
/// What an instance changes here, it sees at once; the others see it within about a second.
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

    /// Stores a user of an existing company, unless the company already has `max` users. A taken email is reported before a
    /// full company. Concurrent calls never exceed `max`.
    async fn create_user(&self, user: User, max: usize) -> Result<CreateUserOutcome, StoreError>;

    /// Stores a key of an existing user of the company (of any, when it is `None`), unless the user already has `max` keys
    /// that are neither revoked nor, when the key is created, expired. Concurrent calls never exceed `max`.
    async fn create_key(
        &self,
        company: Option<CompanyId>,
        key: ApiKey,
        hash: TokenHash,
        max: usize,
    ) -> Result<CreateKeyOutcome, StoreError>;

    /// Revokes a key of the company (of any, when it is `None`); false when there is none. Revoking twice keeps the
    /// first moment.
    async fn revoke_key(
        &self,
        company: Option<CompanyId>,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Stores the first company with its owner, and the owner's key and link, all or none, unless there is a company; then
    /// false. Of concurrent calls one at most returns true.
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

    /// Changes a user of the company by [`UserDraft::apply`]. The caller must manage access when it happens, and still do
    /// so after it: of two users who take the permission from each other at once, one at most succeeds.
    async fn change_user(
        &self,
        company: CompanyId,
        caller: UserId,
        id: UserId,
        change: UserDraft,
    ) -> Result<ChangeUserOutcome, StoreError>;

    /// Deletes a user of the company, with its keys, password, sessions and link. The caller must manage access when it
    /// happens, and is another user.
    async fn delete_user(
        &self,
        company: CompanyId,
        caller: UserId,
        id: UserId,
    ) -> Result<DeleteUserOutcome, StoreError>;

    /// A page of the keys of a user of the company, the oldest first; `None` when there is no such user.
    async fn list_keys(
        &self,
        company: CompanyId,
        user: UserId,
        page: PageRequest,
    ) -> Result<Option<Page<ApiKey>>, StoreError>;

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
        company: CompanyId,
        user: UserId,
        id: ApiKeyId,
        at: Timestamp,
    ) -> Result<OfUser<()>, StoreError>;

    /// A company; `None` when there is none.
    async fn read_company(&self, id: CompanyId) -> Result<Option<Company>, StoreError>;

    /// Changes a company by [`CompanyChange::apply`]; `None` when there is none.
    async fn change_company(
        &self,
        id: CompanyId,
        change: CompanyChange,
    ) -> Result<Option<Result<Company, Violations>>, StoreError>;
}
