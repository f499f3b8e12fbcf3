//! Attempts to sign in are limited, first by network and then by email and network. A rejected attempt costs no look-up
//! and no password hash.
//!
//! Codes of the second step are limited by user as well: six digits are few, and somebody with the password could try
//! them from many networks.

use std::net::IpAddr;

use super::{AccessError, Bucket, ClientNetwork, RateLimitState, RateLimited};
use crate::context::AccessPorts;
use crate::ids::UserId;
use crate::time::Timestamp;

/// An admitted attempt.
pub(super) struct Attempt<'a> {
    ports: &'a AccessPorts,
    network: ClientNetwork,
    at: Timestamp,
    sign_in: Option<RateLimited>,
    code: Option<RateLimited>,
}

impl<'a> Attempt<'a> {
    /// Counts an attempt from this address.
    pub(super) async fn from(ports: &'a AccessPorts, address: IpAddr) -> Result<Self, AccessError> {
        let (network, at) = (ClientNetwork::from(address), ports.environment.clock.now());
        let attempt = Self { ports, network, at, sign_in: None, code: None };
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

    /// Counts it as a code of this user too.
    pub(super) async fn with_code_of(&mut self, user: UserId) -> Result<(), AccessError> {
        let client = RateLimited::User(user);
        self.acquire(client.clone(), Bucket::SecondStep).await?;
        self.code = Some(client);
        Ok(())
    }

    /// When it was counted.
    pub(super) const fn at(&self) -> Timestamp {
        self.at
    }

    /// Marks the attempt as the completion of an earlier one from this network: neither counts any longer.
    pub(super) fn finished(&self, begun_at: Timestamp) {
        let network = RateLimited::Network(self.network);
        self.ports.rate_limiter.take_back(&network, Bucket::SignInOfNetwork, begun_at);
        self.succeeded();
    }

    /// Marks the attempt as successful: it no longer counts. Earlier ones still do. Otherwise a user of another company
    /// with the same email could give themselves more guesses by signing in, and a user's own sign-ins could give them to
    /// an attacker.
    pub(super) fn succeeded(&self) {
        let network = RateLimited::Network(self.network);
        self.ports.rate_limiter.take_back(&network, Bucket::SignInOfNetwork, self.at);
        if let Some(client) = &self.sign_in {
            self.ports.rate_limiter.take_back(client, Bucket::SignIn, self.at);
        }
        if let Some(client) = &self.code {
            self.ports.rate_limiter.take_back(client, Bucket::SecondStep, self.at);
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
