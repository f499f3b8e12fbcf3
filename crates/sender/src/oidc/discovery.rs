//! The metadata of providers, and their keys. They are cached for an hour.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contact_hub_domain::access::{OidcClientError, OidcProvider};
use moka::future::Cache;
use openidconnect::{DiscoveryError, IssuerUrl, TokenUrl, UserInfoUrl};

use super::exchange::{Exchange, ExchangeError};
use super::kinds::Metadata;

/// How long they are cached.
const KEPT_FOR: Duration = Duration::from_hours(1);

/// How many providers are cached.
const KEPT: u64 = 100;

/// Keys are read again at most this often, when a token has a signature by a key that is not known.
const RENEWED_EVERY: Duration = Duration::from_mins(1);

/// The metadata of a provider.
pub(super) struct Discovered {
    pub(super) metadata: Metadata,
    read_at: Instant,
}

impl Discovered {
    /// Whether it may be read again.
    fn is_old(&self) -> bool {
        self.read_at.elapsed() >= RENEWED_EVERY
    }
}

/// Whether a company set the provider, and its issuer. The operator's reach more addresses.
type Place = (bool, String);

fn place(provider: &OidcProvider) -> Place {
    (provider.company.is_some(), provider.issuer.clone())
}

/// Reads and caches the metadata of providers.
pub(super) struct Discovery(Cache<Place, Arc<Discovered>>);

impl Default for Discovery {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(KEPT).time_to_live(KEPT_FOR).build())
    }
}

impl Discovery {
    /// The metadata of a provider. Concurrent calls share one request.
    pub(super) async fn of(
        &self,
        provider: &OidcProvider,
        exchange: &Exchange,
    ) -> Result<Arc<Discovered>, OidcClientError> {
        let read = async { read(&provider.issuer, exchange).await.map(Arc::new) };
        self.0.try_get_with(place(provider), read).await.map_err(|error| *error)
    }

    /// The current metadata; `None` when it was read a short while ago.
    pub(super) async fn again(
        &self,
        provider: &OidcProvider,
        exchange: &Exchange,
        before: &Discovered,
    ) -> Result<Option<Arc<Discovered>>, OidcClientError> {
        if !before.is_old() {
            return Ok(None);
        }
        self.0.invalidate(&place(provider)).await;
        self.of(provider, exchange).await.map(Some)
    }
}

async fn read(issuer: &str, exchange: &Exchange) -> Result<Discovered, OidcClientError> {
    let issuer = IssuerUrl::new(issuer.to_owned());
    let issuer = issuer.map_err(|_error| OidcClientError::Unavailable("malformed_issuer"))?;
    let metadata = Metadata::discover_async(issuer, exchange).await;
    let metadata = metadata.map_err(|error| {
        let word = word(&error);
        tracing::debug!(word, "a provider was not discovered");
        OidcClientError::Unavailable(word)
    })?;
    if !is_reachable(&metadata, exchange) {
        return Err(OidcClientError::Unavailable("blocked_address"));
    }
    Ok(Discovered { metadata, read_at: Instant::now() })
}

/// Whether browsers and the service may call the addresses of the metadata.
fn is_reachable(metadata: &Metadata, exchange: &Exchange) -> bool {
    let token_endpoint = metadata.token_endpoint().map(TokenUrl::url);
    let user_info = metadata.userinfo_endpoint().map(UserInfoUrl::url);
    let all = [Some(metadata.authorization_endpoint().url()), token_endpoint, user_info];
    all.into_iter().flatten().all(|endpoint| exchange.permits(endpoint))
}

fn word(error: &DiscoveryError<ExchangeError>) -> &'static str {
    match error {
        DiscoveryError::Request(error) => error.word(),
        DiscoveryError::Response(..) => "no_discovery_document",
        DiscoveryError::UrlParse(_) => "malformed_issuer",
        DiscoveryError::Validation(_) => "other_issuer",
        _ => "malformed_discovery_document",
    }
}
