//! Attempts to sign in are limited, first by network and then by email and network. A rejected attempt costs no look-up
//! and no password hash.

use std::net::IpAddr;

use super::{AccessError, Bucket, ClientNetwork, RateLimitState, RateLimited};
use crate::context::AccessPorts;
use crate::time::Timestamp;

/// An admitted attempt.
pub(super) struct Attempt<'a> {
    ports: &'a AccessPorts,
    network: ClientNetwork,
    at: Timestamp,
    sign_in: Option<RateLimited>,
}

impl<'a> Attempt<'a> {
    /// Counts an attempt from this address.
    pub(super) async fn from(ports: &'a AccessPorts, address: IpAddr) -> Result<Self, AccessError> {
        let (network, at) = (ClientNetwork::from(address), ports.environment.clock.now());
        let attempt = Self { ports, network, at, sign_in: None };
        attempt.acquire(RateLimited::Network(network), Bucket::SignInOfNetwork).await?;
        Ok(attempt)
    }

    /// Counts it for this email identity too.
    pub(super) async fn with(mut self, identity: String) -> Result<Self, AccessError> {
        let client = RateLimited::SignIn { identity, network: self.network };
        self.acquire(client.clone(), Bucket::SignIn).await?;
        self.sign_in = Some(client);
        Ok(self)
    }

    /// It succeeded: it no longer counts, and neither do earlier ones with this email.
    pub(super) fn succeeded(&self) {
        let network = RateLimited::Network(self.network);
        self.ports.rate_limiter.take_back(&network, Bucket::SignInOfNetwork, self.at);
        if let Some(client) = &self.sign_in {
            self.ports.rate_limiter.forget(client, Bucket::SignIn);
        }
    }

    async fn acquire(&self, client: RateLimited, bucket: Bucket) -> Result<(), AccessError> {
        let rate_limit: Option<RateLimitState> =
            self.ports.rate_limiter.acquire(client, bucket, self.at).await;
        match rate_limit.filter(|rate_limit| !rate_limit.is_admitted) {
            Some(refused) => Err(AccessError::TooManyAttempts(refused)),
            None => Ok(()),
        }
    }
}
