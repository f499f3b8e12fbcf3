//! Why a sign-in by an identity provider fails.

use strum::IntoStaticStr;

use super::OidcClientError;
use crate::access::AccessError;
use crate::ports::StoreError;

/// Why a sign-in by a provider is refused. The names are for logs and the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OidcRefusal {
    /// The person is no user.
    NoUser,
    /// The provider gave no email.
    NoEmail,
    /// The email is not verified.
    EmailNotVerified,
    /// The provider does not vouch for the domain of the email.
    OtherDomain,
    /// The provider knows the user by another identifier.
    OtherSubject,
    /// The company has the maximum number of users.
    CompanyFull,
    /// Another user than the one who is signed in.
    OtherUser,
    /// The person did not prove again who they are.
    NotConfirmed,
}

/// Why a sign-in by a provider failed.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    /// There is no such provider.
    #[error("the provider does not exist")]
    UnknownProvider,
    /// The sign-in has expired, was used, or began in another browser.
    #[error("the sign-in is over")]
    Over,
    /// The provider refused, in its own words.
    #[error("the provider refused")]
    Answered(String),
    /// The exchange with the provider failed.
    #[error(transparent)]
    Client(#[from] OidcClientError),
    /// The person cannot be signed in.
    #[error("the person cannot be signed in")]
    Refused(OidcRefusal),
    /// Signing in failed for a reason that does not concern the provider.
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl From<StoreError> for OidcError {
    fn from(error: StoreError) -> Self {
        Self::Access(error.into())
    }
}

impl From<OidcRefusal> for OidcError {
    fn from(refusal: OidcRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl OidcError {
    /// The reason as a short name, for logs and the audit. It contains no personal data and no secret.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::UnknownProvider => "unknown_provider",
            Self::Over => "over",
            Self::Answered(_) => "provider_refused",
            Self::Client(
                OidcClientError::Unavailable(reason) | OidcClientError::Invalid(reason),
            ) => reason,
            Self::Refused(refusal) => refusal.into(),
            Self::Access(_) => "failed",
        }
    }
}
