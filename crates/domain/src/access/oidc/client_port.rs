//! The port that communicates with providers.

use async_trait::async_trait;

use super::OidcProvider;
use crate::time::Timestamp;

/// The parameters with which a browser is sent to the provider.
#[derive(Clone, Debug)]
pub struct OidcRequest {
    /// The address to which the provider sends the browser back.
    pub redirect: String,
    /// Returned by the provider with the answer.
    pub state: String,
    /// Returned by the provider in the token.
    pub nonce: String,
    /// The code verifier; the provider gets its hash.
    pub verifier: String,
    /// Whether the person has to prove again who they are.
    pub anew: bool,
}

/// The parameters with which the answer of the provider is redeemed.
#[derive(Clone, Debug)]
pub struct OidcGrant {
    /// The address to which the provider sent the browser back.
    pub redirect: String,
    /// The code of the answer.
    pub code: String,
    /// The issuer of the answer, if it names one (RFC 9207).
    pub issuer: Option<String>,
    /// The nonce that the token has to contain.
    pub nonce: String,
    /// The code verifier.
    pub verifier: String,
    /// The current time.
    pub now: Timestamp,
}

/// The claims about a person in a valid token of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OidcClaims {
    /// The provider's permanent identifier of the person (`sub`).
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

/// Why an exchange with a provider failed. The reasons are short names for logs and the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OidcClientError {
    /// The provider cannot be reached, or its answer does not follow the protocol.
    #[error("the provider cannot be used: {0}")]
    Unavailable(&'static str),
    /// Its token, or the answer that the browser brought, is not valid.
    #[error("the provider's answer is not valid: {0}")]
    Invalid(&'static str),
}

/// Communicates with providers. Every exchange has a deadline, and the number of bytes read from an answer is limited.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OidcClient: Send + Sync {
    /// The address to which a browser is sent.
    async fn location(
        &self,
        provider: &OidcProvider,
        request: OidcRequest,
    ) -> Result<String, OidcClientError>;

    /// Redeems an answer. Verifies that the token is signed by the provider, was issued for this service and this
    /// sign-in, and is valid now.
    async fn redeem(
        &self,
        provider: &OidcProvider,
        grant: OidcGrant,
    ) -> Result<OidcClaims, OidcClientError>;
}
