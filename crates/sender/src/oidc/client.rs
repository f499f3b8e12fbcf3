//! The client of providers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use contact_hub_domain::access::{
    OIDC_SECONDS, OidcClaims, OidcClient, OidcClientError, OidcGrant, OidcProvider, OidcRequest,
};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::UrlPolicy;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod, CoreJsonWebKey,
    CoreJwsSigningAlgorithm,
};
use openidconnect::{
    AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, IdTokenVerifier, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RequestTokenError, Scope, SignatureVerificationError, SubjectIdentifier,
    TokenResponse,
};

use super::claims::{add_profile, is_short, of_token};
use super::discovery::{Discovered, Discovery};
use super::exchange::{Exchange, ExchangeError};
use super::kinds::{Metadata, Profile, ProviderClient, TokenClaims, Tokens};
use crate::SenderError;
use crate::client::client;
use crate::resolver::{GuardedResolver, Lookup};

/// How long a connection to a provider may take.
const CONNECT: Duration = Duration::from_secs(3);

/// How many seconds the clocks of provider and service may differ.
const SKEW_SECONDS: i64 = 60;

/// The accepted algorithms of signatures. Those with a shared secret are not accepted: anyone who knows the secret
/// could make such signatures.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Communicates with providers over HTTP.
pub struct HttpOidcClient {
    of_companies: Exchange,
    of_operator: Exchange,
    discovery: Discovery,
}

impl HttpOidcClient {
    /// A client that reaches the providers of companies at addresses that the policy permits.
    pub fn new(policy: UrlPolicy, lookup: Arc<dyn Lookup>) -> Result<Self, SenderError> {
        let guard = Arc::new(policy.guard.clone());
        let resolver = Arc::new(GuardedResolver { lookup, guard, within: CONNECT });
        Ok(Self {
            of_companies: Exchange::new(client(Some(&resolver), CONNECT)?, Some(policy)),
            of_operator: Exchange::new(client(None, CONNECT)?, None),
            discovery: Discovery::default(),
        })
    }

    const fn exchange(&self, provider: &OidcProvider) -> &Exchange {
        if provider.company.is_some() { &self.of_companies } else { &self.of_operator }
    }

    /// The claims of a valid token. If its key is not known, the keys are read again.
    async fn verified<'a>(
        &self,
        provider: &OidcProvider,
        discovered: &Discovered,
        tokens: &'a Tokens,
        grant: &OidcGrant,
    ) -> Result<&'a TokenClaims, OidcClientError> {
        match verified(provider, &discovered.metadata, tokens, grant) {
            Err(OidcClientError::Invalid(UNKNOWN_KEY)) => {}
            other => return other,
        }
        let again = self.discovery.again(provider, self.exchange(provider), discovered).await?;
        let renewed = again.ok_or(OidcClientError::Invalid(UNKNOWN_KEY))?;
        verified(provider, &renewed.metadata, tokens, grant)
    }

    /// Adds the claims of the profile to those of a token that lacks some.
    async fn with_profile(
        &self,
        provider: &OidcProvider,
        client: &ProviderClient,
        tokens: &Tokens,
        claims: &mut OidcClaims,
    ) -> Result<(), OidcClientError> {
        let group_claim = provider.groups.as_ref().map(|groups| groups.claim.as_str());
        // The library panics at a token that no header can have.
        let is_sendable =
            tokens.access_token().secret().bytes().all(|byte| byte.is_ascii_graphic());
        if !is_short(claims, group_claim) || client.user_info_url().is_none() || !is_sendable {
            return Ok(());
        }
        let subject = SubjectIdentifier::new(claims.subject.clone());
        let asked = client.user_info(tokens.access_token().clone(), Some(subject));
        let asked = asked.map_err(|_no_address| OidcClientError::Unavailable("no_profile"))?;
        let profile: Profile = asked
            .request_async(self.exchange(provider))
            .await
            .map_err(|_error| OidcClientError::Invalid("malformed_profile"))?;
        add_profile(claims, &profile, group_claim);
        Ok(())
    }
}

#[async_trait]
impl OidcClient for HttpOidcClient {
    async fn location(
        &self,
        provider: &OidcProvider,
        request: OidcRequest,
    ) -> Result<String, OidcClientError> {
        let discovered = self.discovery.of(provider, self.exchange(provider)).await?;
        let client = client_of(provider, &discovered.metadata, request.redirect)?;
        let verifier = PkceCodeVerifier::new(request.verifier);
        let (state, nonce) = (request.state, request.nonce);
        let mut asked = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new(state),
                || Nonce::new(nonce),
            )
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .add_scopes(provider.scopes.iter().cloned().map(Scope::new));
        if request.anew {
            asked = asked.set_max_age(Duration::ZERO).add_prompt(CoreAuthPrompt::Login);
        }
        Ok(asked.url().0.into())
    }

    async fn redeem(
        &self,
        provider: &OidcProvider,
        grant: OidcGrant,
    ) -> Result<OidcClaims, OidcClientError> {
        let exchange = self.exchange(provider);
        let discovered = self.discovery.of(provider, exchange).await?;
        check_issuer(&discovered.metadata, provider, &grant)?;
        let client = client_of(provider, &discovered.metadata, grant.redirect.clone())?;
        let redeemed = client
            .exchange_code(AuthorizationCode::new(grant.code.clone()))
            .map_err(|_no_address| OidcClientError::Unavailable("no_token_endpoint"))?
            .set_pkce_verifier(PkceCodeVerifier::new(grant.verifier.clone()))
            .request_async(exchange);
        let tokens: Tokens = redeemed.await.map_err(|error| not_redeemed(&error))?;
        let claims = self.verified(provider, &discovered, &tokens, &grant).await?;
        let group_claim = provider.groups.as_ref().map(|groups| groups.claim.as_str());
        let claims = of_token(claims, group_claim);
        let mut claims = claims.ok_or(OidcClientError::Invalid("malformed_subject"))?;
        self.with_profile(provider, &client, &tokens, &mut claims).await?;
        Ok(claims)
    }
}

/// The client of a provider in the library.
fn client_of(
    provider: &OidcProvider,
    metadata: &Metadata,
    redirect: String,
) -> Result<ProviderClient, OidcClientError> {
    let secret = provider.client_secret.as_ref();
    let secret = secret.map(|secret| ClientSecret::new(secret.reveal().to_owned()));
    let id = ClientId::new(provider.client_id.clone());
    let redirect = RedirectUrl::new(redirect);
    let redirect = redirect.map_err(|_error| OidcClientError::Unavailable("malformed_redirect"))?;
    let client = ProviderClient::from_provider_metadata(metadata.clone(), id, secret);
    let methods = metadata.token_endpoint_auth_methods_supported().map(Vec::as_slice);
    let takes_body_only = methods.is_some_and(|methods| {
        methods.contains(&CoreClientAuthMethod::ClientSecretPost)
            && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
    });
    let way = if takes_body_only { AuthType::RequestBody } else { AuthType::BasicAuth };
    Ok(client.set_redirect_uri(redirect).set_auth_type(way))
}

/// Rejects an answer of another provider (RFC 9207).
fn check_issuer(
    metadata: &Metadata,
    provider: &OidcProvider,
    grant: &OidcGrant,
) -> Result<(), OidcClientError> {
    let is_named = metadata.additional_metadata().authorization_response_iss_parameter_supported;
    match &grant.issuer {
        Some(issuer) if *issuer != provider.issuer => Err(OidcClientError::Invalid("other_issuer")),
        None if is_named => Err(OidcClientError::Invalid("no_issuer")),
        _ => Ok(()),
    }
}

const UNKNOWN_KEY: &str = "unknown_key";

/// The claims of a token, if it is from this provider, for this service and this sign-in, and valid now.
fn verified<'a>(
    provider: &OidcProvider,
    metadata: &Metadata,
    tokens: &'a Tokens,
    grant: &OidcGrant,
) -> Result<&'a TokenClaims, OidcClientError> {
    let token = tokens.id_token().ok_or(OidcClientError::Invalid("no_id_token"))?;
    let now = grant.now;
    let verifier: IdTokenVerifier<'_, CoreJsonWebKey> = IdTokenVerifier::new_public_client(
        ClientId::new(provider.client_id.clone()),
        metadata.issuer().clone(),
        metadata.jwks().clone(),
    )
    .set_allowed_algs(ALGORITHMS)
    .set_time_fn(move || moment(now.plus_seconds(-SKEW_SECONDS)))
    .set_issue_time_verifier_fn(move |issued| is_recent(issued.timestamp_micros(), now));
    let nonce = Nonce::new(grant.nonce.clone());
    let claims = token.claims(&verifier, &nonce).map_err(|error| not_valid(&error))?;
    if claims.authorized_party().is_some_and(|party| party.as_str() != provider.client_id) {
        return Err(OidcClientError::Invalid("wrong_party"));
    }
    let expected = claims.access_token_hash();
    let actual = || {
        let (algorithm, key) = token.signing_alg().ok().zip(token.signing_key(&verifier).ok())?;
        AccessTokenHash::from_token(tokens.access_token(), algorithm, key).ok()
    };
    if expected.is_some() && expected != actual().as_ref() {
        return Err(OidcClientError::Invalid("wrong_access_token"));
    }
    Ok(claims)
}

fn moment(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.micros()).unwrap_or_default()
}

fn is_recent(issued: i64, now: Timestamp) -> Result<(), String> {
    let earliest = now.plus_seconds(-OIDC_SECONDS - SKEW_SECONDS).micros();
    let latest = now.plus_seconds(SKEW_SECONDS).micros();
    let is_recent = (earliest..=latest).contains(&issued);
    is_recent.then_some(()).ok_or_else(|| "issued at another time".to_owned())
}

/// Why a token is not valid, as a short name. The library's text may contain values of the token.
fn not_valid(error: &ClaimsVerificationError) -> OidcClientError {
    use SignatureVerificationError as Signature;
    OidcClientError::Invalid(match error {
        ClaimsVerificationError::Expired(_) => "expired",
        ClaimsVerificationError::InvalidAudience(_) => "wrong_audience",
        ClaimsVerificationError::InvalidIssuer(_) => "wrong_issuer",
        ClaimsVerificationError::InvalidNonce(_) => "wrong_nonce",
        ClaimsVerificationError::SignatureVerification(
            Signature::DisallowedAlg(_) | Signature::NoSignature | Signature::UnsupportedAlg(_),
        ) => "forbidden_algorithm",
        ClaimsVerificationError::SignatureVerification(Signature::NoMatchingKey) => UNKNOWN_KEY,
        ClaimsVerificationError::SignatureVerification(_) => "wrong_signature",
        _ => "malformed_token",
    })
}

/// Why a code was not redeemed, as a short name.
fn not_redeemed<T>(error: &RequestTokenError<ExchangeError, T>) -> OidcClientError
where
    T: openidconnect::ErrorResponse + 'static,
{
    match error {
        RequestTokenError::Request(error) => OidcClientError::Unavailable(error.word()),
        RequestTokenError::ServerResponse(_) => OidcClientError::Invalid("code_refused"),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            OidcClientError::Invalid("malformed_answer")
        }
    }
}
