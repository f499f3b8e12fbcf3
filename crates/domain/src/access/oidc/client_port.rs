//! The port that speaks with providers.

use async_trait::async_trait;

use super::OidcProvider;
use crate::time::Timestamp;

/// What a browser is sent to the provider with.
#[derive(Clone, Debug)]
pub struct OidcRequest {
    /// The address to which the provider sends the browser back.
    pub redirect: String,
    /// Comes back with the answer.
    pub state: String,
    /// Comes back in the token.
    pub nonce: String,
    /// The code verifier, of which the provider gets the hash.
    pub verifier: String,
    /// Whether the person has to prove again who they are.
    pub anew: bool,
}

/// What the answer of the provider is redeemed with.
#[derive(Clone, Debug)]
pub struct OidcGrant {
    /// The address to which the provider sent the browser back.
    pub redirect: String,
    /// The code of the answer.
    pub code: String,
    /// The issuer of the answer, if it names one (RFC 9207).
    pub issuer: Option<String>,
    /// What the token has to contain.
    pub nonce: String,
    /// The code verifier.
    pub verifier: String,
    /// The moment.
    pub now: Timestamp,
}

/// What a provider says of a person, in a token that is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OidcClaims {
    /// The provider's lasting name for the person.
    pub subject: String,
    /// The email.
    pub email: Option<String>,
    /// Whether the provider has verified the email; `None` when it does not say.
    pub email_verified: Option<bool>,
    /// The person's groups, if the provider has permissions by groups.
    pub groups: Vec<String>,
    /// Whether the person proved who they are with several factors.
    pub used_many_factors: bool,
    /// When the person proved who they are.
    pub authenticated_at: Option<Timestamp>,
}

/// Why a provider's word could not be had. The reasons are words for logs and the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OidcClientError {
    /// It cannot be reached, or does not answer as a provider does.
    #[error("the provider cannot be used: {0}")]
    Unavailable(&'static str),
    /// Its token, or the answer that the browser brought, is not valid.
    #[error("the provider's answer is not valid: {0}")]
    Invalid(&'static str),
}

/// Speaks with providers. Every exchange has a deadline, and what is read of answers is bounded.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OidcClient: Send + Sync {
    /// The address to which a browser is sent.
    async fn location(
        &self,
        provider: &OidcProvider,
        request: OidcRequest,
    ) -> Result<String, OidcClientError>;

    /// Redeems an answer. The token has a signature of the provider, and is for this service, this sign-in and this
    /// moment.
    async fn redeem(
        &self,
        provider: &OidcProvider,
        grant: OidcGrant,
    ) -> Result<OidcClaims, OidcClientError>;
}
