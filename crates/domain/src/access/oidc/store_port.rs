//! The store port of sign-ins by identity providers.

use async_trait::async_trait;

use super::OidcAttempt;
use crate::access::{Permissions, Session, TokenHash, User};
use crate::author::Call;
use crate::email::Email;
use crate::ids::{CompanyId, UserId};
use crate::ports::StoreError;

/// The identifier by which a provider knows a person (`sub`). It never changes, and is unique within its issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcSubject {
    /// The key of the provider.
    pub provider: String,
    /// The provider's issuer. When it is changed, identifiers of the earlier issuer no longer identify anyone.
    pub issuer: String,
    /// The identifier.
    pub subject: String,
}

/// The person for whom a provider vouches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcPerson {
    /// The identifier by which the provider knows the person.
    pub subject: OidcSubject,
    /// The company that set the provider; `None` for the operator's.
    pub company: Option<CompanyId>,
    /// The email, if it is verified and the provider vouches for its domain.
    pub email: Option<Email>,
}

/// A sign-in, in one transaction.
#[derive(Clone, Debug)]
pub struct OidcSignIn {
    /// The person.
    pub person: OidcPerson,
    /// The user that is created when there is none; `None` creates none.
    pub new_user: Option<User>,
    /// The maximum number of users of a company.
    pub max_users: usize,
    /// The permissions of the person's groups; `None` leaves the user's permissions unchanged.
    pub permissions: Option<Permissions>,
    /// Whether the provider asked for several factors, so that no code is needed.
    pub used_many_factors: bool,
    /// The session that begins. Its user is replaced by the one that is found.
    pub session: Session,
    /// The hash of the session's token.
    pub token: TokenHash,
    /// The call.
    pub call: Call,
}

/// The outcome of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OidcSignInOutcome {
    /// The session has begun.
    Begun,
    /// Nobody has the email, and no user is created.
    NoUser,
    /// The provider knows the user with the email by another identifier.
    OtherSubject,
    /// The company has the maximum number of users.
    Full,
}

/// Stores sign-ins in progress, and the identifiers by which providers know users. The identifiers are deleted with
/// their user.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OidcStore: Send + Sync {
    /// Stores a sign-in that begins. Deletes some that have expired, and the oldest past
    /// [`OIDC_ATTEMPTS`](super::OIDC_ATTEMPTS).
    async fn begin_oidc(&self, attempt: OidcAttempt) -> Result<(), StoreError>;

    /// Removes and returns the sign-in of a browser, even if it has expired. At most one of several concurrent calls
    /// gets it.
    async fn take_oidc(&self, browser: TokenHash) -> Result<Option<OidcAttempt>, StoreError>;

    /// Begins a session of the user whom the provider knows by this identifier. If there is none, the oldest user with
    /// the email gets the identifier: a user of the provider's company or, for a provider of the operator, of any
    /// company. But if the operator allows a company to use the email's domain, only its users count. A user has one
    /// identifier at each provider. The permissions follow the groups, but the last user of a company who manages
    /// access keeps that permission.
    async fn sign_in_by_oidc(&self, sign_in: OidcSignIn) -> Result<OidcSignInOutcome, StoreError>;

    /// The user whom a provider knows by this identifier.
    async fn user_of_subject(&self, subject: OidcSubject) -> Result<Option<UserId>, StoreError>;

    /// The keys of the providers that know a user, in their order.
    async fn providers_of_user(&self, user: UserId) -> Result<Vec<String>, StoreError>;
}
