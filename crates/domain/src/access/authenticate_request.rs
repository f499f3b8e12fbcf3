//! Authenticates a request. The rate limit is checked before any look-up.
//!
//! A token whose user is remembered counts for that user. Any other token first counts as a failure of its network, and
//! is uncounted if it is valid. So guessing costs no more look-ups than the quota of the network.
//!
//! A revoked key is rejected as such even if its user's quota is used up (401 comes before 429). So the holder is
//! looked up then too. The store caches it for almost a second, so many rejected calls cost one look-up. Sessions are
//! not cached, so a rejected call with a session costs no look-up.

use std::net::IpAddr;
use std::sync::Arc;

use super::authenticate::authenticate_hash;
use super::{
    AccessError, Bucket, ClientNetwork, KeyHolder, Presence, RateLimitState, RateLimited,
    SessionHolder, SessionToken, Token, TokenHash, TokenUser, authenticate_session,
};
use crate::context::AccessPorts;
use crate::time::Timestamp;

/// The outcome of checking a request's token and its rate limit.
#[derive(Debug)]
pub struct Authenticated<T> {
    /// The limit that counted the call; `None` when none did.
    pub rate_limit: Option<RateLimitState>,
    /// The holder of the token, or why the call is rejected.
    pub holder: Result<T, AccessError>,
}

/// Authenticates a request with this key, if any, from this address, and counts it.
pub async fn authenticate_api_request(
    ports: &AccessPorts,
    token: Option<&str>,
    address: IpAddr,
    bucket: Bucket,
) -> Authenticated<Arc<KeyHolder>> {
    let call = Call::new(ports, address, bucket);
    let hash = token.and_then(Token::parse).map(|token| token.hash());
    let Some(hash) = hash else { return call.without_token().await };
    let find = Find { holder: authenticate_hash(ports, hash), is_remembered: true };
    call.with_token(hash, find, |holder| TokenUser {
        user: holder.caller.user_id,
        company: holder.caller.company.id,
        expires_at: holder.expires_at,
    })
    .await
}

/// Authenticates a request for a page with the session cookie's token from this address, and counts it. A malformed token
/// is not counted, because it costs no look-up.
pub async fn authenticate_page_request(
    ports: &AccessPorts,
    token: &str,
    address: IpAddr,
    presence: Presence,
) -> Authenticated<SessionHolder> {
    let call = Call::new(ports, address, Bucket::Pages);
    let Some(hash) = SessionToken::parse(token).map(|token| token.hash()) else {
        return Authenticated { rate_limit: None, holder: Err(AccessError::Unauthenticated) };
    };
    let find = Find { holder: authenticate_session(ports, token, presence), is_remembered: false };
    call.with_token(hash, find, |holder| TokenUser {
        user: holder.caller.user_id,
        company: holder.caller.company.id,
        expires_at: None,
    })
    .await
}

/// How the holder of a token is found.
struct Find<F> {
    holder: F,
    /// Whether the store remembers what it found, so that many calls cost one look-up.
    is_remembered: bool,
}

struct Call<'a> {
    ports: &'a AccessPorts,
    network: RateLimited,
    bucket: Bucket,
    now: Timestamp,
}

impl<'a> Call<'a> {
    fn new(ports: &'a AccessPorts, address: IpAddr, bucket: Bucket) -> Self {
        let network = RateLimited::Network(ClientNetwork::from(address));
        Self { ports, network, bucket, now: ports.environment.clock.now() }
    }

    async fn without_token<T>(&self) -> Authenticated<T> {
        match self.acquire(&self.network).await {
            Ok(rate_limit) => {
                Authenticated { rate_limit, holder: Err(AccessError::Unauthenticated) }
            }
            Err(refused) => refused.into(),
        }
    }

    async fn with_token<T>(
        &self,
        token: TokenHash,
        find: Find<impl Future<Output = Result<T, AccessError>>>,
        user_of: impl Fn(&T) -> TokenUser,
    ) -> Authenticated<T> {
        let known = self.ports.rate_limiter.user_of(&token);
        let known = known.filter(|it| it.expires_at.is_none_or(|expiry| self.now < expiry));
        match known {
            Some(known) => self.of_known(known, token, find).await,
            None => self.of_unknown(token, find, user_of).await,
        }
    }

    /// A token whose user is remembered.
    async fn of_known<T>(
        &self,
        known: TokenUser,
        token: TokenHash,
        find: Find<impl Future<Output = Result<T, AccessError>>>,
    ) -> Authenticated<T> {
        let user = RateLimited::User(known.user);
        let rate_limit = match self.acquire(&user).await {
            Ok(rate_limit) => rate_limit,
            Err(refused) => return self.refused(refused, known, token, find).await,
        };
        let holder = find.holder.await;
        if matches!(holder, Err(AccessError::Unauthenticated)) {
            self.ports.rate_limiter.forget_token(&token);
            self.take_back(&user);
            return self.without_token().await;
        }
        if holder.is_ok() {
            self.note(known, rate_limit.as_ref());
        }
        Authenticated { rate_limit, holder }
    }

    /// A token whose user's quota is used up.
    async fn refused<T>(
        &self,
        refused: Refused,
        known: TokenUser,
        token: TokenHash,
        find: Find<impl Future<Output = Result<T, AccessError>>>,
    ) -> Authenticated<T> {
        if find.is_remembered && matches!(find.holder.await, Err(AccessError::Unauthenticated)) {
            self.ports.rate_limiter.forget_token(&token);
            return self.without_token().await;
        }
        self.note(known, Some(&refused.0));
        refused.into()
    }

    /// A token that is not remembered.
    async fn of_unknown<T>(
        &self,
        token: TokenHash,
        find: Find<impl Future<Output = Result<T, AccessError>>>,
        user_of: impl Fn(&T) -> TokenUser,
    ) -> Authenticated<T> {
        let place = match self.acquire(&self.network).await {
            Ok(rate_limit) => rate_limit,
            Err(refused) => return refused.into(),
        };
        match find.holder.await {
            Err(AccessError::Unauthenticated) => {
                Authenticated { rate_limit: place, holder: Err(AccessError::Unauthenticated) }
            }
            Err(error) => {
                self.take_back(&self.network);
                Authenticated { rate_limit: None, holder: Err(error) }
            }
            Ok(holder) => {
                self.take_back(&self.network);
                let user = user_of(&holder);
                self.ports.rate_limiter.remember(token, user);
                match self.acquire(&RateLimited::User(user.user)).await {
                    Ok(rate_limit) => {
                        self.note(user, rate_limit.as_ref());
                        Authenticated { rate_limit, holder: Ok(holder) }
                    }
                    Err(refused) => {
                        self.note(user, Some(&refused.0));
                        refused.into()
                    }
                }
            }
        }
    }

    async fn acquire(&self, client: &RateLimited) -> Result<Option<RateLimitState>, Refused> {
        match self.ports.rate_limiter.acquire(client.clone(), self.bucket, self.now).await {
            Some(refused) if !refused.is_admitted => Err(Refused(refused)),
            rate_limit => Ok(rate_limit),
        }
    }

    /// Counts the call for its company. Requests for pages do not count as calls.
    fn note(&self, user: TokenUser, rate_limit: Option<&RateLimitState>) {
        if self.bucket != Bucket::Pages {
            self.ports.calls.note(user.company, self.now, rate_limit);
        }
    }

    fn take_back(&self, client: &RateLimited) {
        self.ports.rate_limiter.take_back(client, self.bucket, self.now);
    }
}

/// A quota is used up.
struct Refused(RateLimitState);

impl<T> From<Refused> for Authenticated<T> {
    fn from(Refused(rate_limit): Refused) -> Self {
        let holder = Err(AccessError::TooManyCalls(rate_limit));
        Self { rate_limit: Some(rate_limit), holder }
    }
}
