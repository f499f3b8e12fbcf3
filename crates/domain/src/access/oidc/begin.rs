//! Begin a sign-in by an identity provider.

use std::net::IpAddr;

use super::attempt::{MAX_OIDC_NEXT, OidcAttempt};
use super::secret::Derived;
use super::{OidcError, OidcProvider, OidcRequest};
use crate::access::attempt::Attempt;
use crate::access::{SessionHolder, SessionToken};
use crate::context::AccessPorts;
use crate::ids::OidcProviderId;
use crate::ports::StoreError;

/// Why a person is sent to a provider.
#[derive(Clone, Copy, Debug)]
pub enum OidcPurpose<'a> {
    /// To sign in.
    SignIn,
    /// To prove again who is signed in.
    Confirm(&'a SessionHolder),
}

/// A sign-in that has begun.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OidcBegun {
    /// The address at the provider.
    pub location: String,
    /// The secret that the browser keeps until the provider has answered.
    pub browser: SessionToken,
}

/// Begins a sign-in, or a confirmation, by a provider. It counts as an attempt to sign in until it succeeds.
pub async fn begin_oidc(
    ports: &AccessPorts,
    provider: &str,
    next: &str,
    purpose: OidcPurpose<'_>,
    address: IpAddr,
) -> Result<OidcBegun, OidcError> {
    let counted = Attempt::from(ports, address).await?;
    let provider = provider_with(ports, provider).await?;
    let browser = SessionToken::from_random(ports.environment.randomness.bytes());
    let derived = Derived(&browser);
    let request = OidcRequest {
        redirect: ports.oidc.redirect(&provider.key),
        state: derived.state(),
        nonce: derived.nonce(),
        verifier: derived.verifier(),
        anew: matches!(purpose, OidcPurpose::Confirm(_)),
    };
    let location = ports.oidc.client.location(&provider, request).await?;
    let attempt = OidcAttempt {
        browser: browser.hash(),
        provider: provider.key.as_str().to_owned(),
        next: if next.len() > MAX_OIDC_NEXT { "/".to_owned() } else { next.to_owned() },
        session: match purpose {
            OidcPurpose::SignIn => None,
            OidcPurpose::Confirm(holder) => Some(holder.session.id),
        },
        started_at: counted.at(),
    };
    ports.oidc.store.begin_oidc(attempt).await?;
    Ok(OidcBegun { location, browser })
}

/// The provider with this key.
pub(super) async fn provider_with(
    ports: &AccessPorts,
    key: &str,
) -> Result<OidcProvider, OidcError> {
    if let Some(provider) = ports.oidc.of_operator(key) {
        return Ok(provider.clone());
    }
    let id = OidcProviderId::parse(key).ok_or(OidcError::UnknownProvider)?;
    let found = ports.oidc.company_providers.company_provider(id).await?;
    let (provider, (secret_id, sealed)) = found.ok_or(OidcError::UnknownProvider)?;
    let failed = |error| StoreError::Failed(Box::new(error));
    let secret = ports.vault.open(secret_id, &sealed).map_err(failed)?;
    Ok(provider.with_secret(secret))
}
