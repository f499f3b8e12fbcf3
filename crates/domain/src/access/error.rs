//! The errors of use cases on access, in the interface's terms.

use super::RateLimitState;
use crate::ids::CompanyId;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on access failed.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// No token, or one that is unknown, revoked or expired.
    #[error("the bearer token is missing, invalid or expired")]
    Unauthenticated,
    /// The account lacks the product access, or the user the permission.
    #[error("the account lacks the product access or the user lacks the permission for this call")]
    Denied,
    /// The request has these violations.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// There is no such company.
    #[error("the company does not exist")]
    CompanyNotFound,
    /// There is no such user.
    #[error("the user does not exist")]
    UserNotFound,
    /// A user of the company has this email.
    #[error("a user of the company already has this email")]
    UserAlreadyExists,
    /// Callers may not remove their own permission to manage access.
    #[error("the caller would lose the permission to manage access")]
    OwnAccess,
    /// There is no such key.
    #[error("the API key does not exist")]
    ApiKeyNotFound,
    /// The company has no such identity provider.
    #[error("the identity provider does not exist")]
    OidcProviderNotFound,
    /// The email or the password is wrong.
    #[error("the email or the password is wrong")]
    SignInRefused,
    /// The email and the password are right, but the company does not allow sign-in by password.
    #[error("the company lets nobody sign in with a password")]
    PasswordSignInOff(CompanyId),
    /// The rate limit is exceeded; a later call may succeed.
    #[error("too many calls")]
    TooManyCalls(RateLimitState),
    /// Too many attempts to sign in failed; a later one may succeed.
    #[error("too many attempts to sign in")]
    TooManyAttempts(RateLimitState),
    /// No link, or one that is used, replaced or expired.
    #[error("the link is used or expired")]
    LinkInvalid,
    /// The user has no such session.
    #[error("the session does not exist")]
    SessionNotFound,
    /// The user has no such passkey.
    #[error("the passkey does not exist")]
    PasskeyNotFound,
    /// The service has no passkeys, because its address allows none.
    #[error("the service has no passkeys")]
    PasskeysOff,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for AccessError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}
