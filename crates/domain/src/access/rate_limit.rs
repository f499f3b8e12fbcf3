//! The rate limit: whose calls count together, and the port that counts them.
//!
//! The full quota may be used at once. No span of the window's length admits more than the quota. Rejected calls do not
//! count.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use async_trait::async_trait;
use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::TokenHash;
use crate::ids::{CompanyId, UserId};
use crate::time::Timestamp;

/// The length of the window in which calls count, in seconds.
pub const WINDOW_SECONDS: i64 = 60;

/// The length of the window in which attempts to sign in count, in seconds.
pub const SIGN_IN_WINDOW_SECONDS: i64 = 15 * 60;

/// The maximum of attempts to sign in with one email from one network in that window.
pub const SIGN_IN_ATTEMPTS: u32 = 10;

/// The maximum of failed attempts to sign in from one network in that window, with any email.
pub const SIGN_IN_ATTEMPTS_OF_NETWORK: u32 = 60;

/// The length of the window in which codes of the second step count, in seconds.
pub const CODES_WINDOW_SECONDS: i64 = 60 * 60;

/// The maximum of wrong codes of one user in that window, from all networks together.
pub const CODE_ATTEMPTS: u32 = 10;

/// A kind of calls that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Bucket {
    /// Most calls.
    Standard,
    /// The calls that write up to a thousand contacts.
    Bulk,
    /// Pages and their forms.
    Pages,
    /// Attempts to sign in with one email from one network.
    SignIn,
    /// Failed attempts to sign in from one network, with any email or link.
    SignInOfNetwork,
    /// Wrong codes of one user's second step, from any network.
    SecondStep,
}

impl Bucket {
    /// The length of the bucket's window, in seconds.
    #[must_use]
    pub const fn window_seconds(self) -> i64 {
        match self {
            Self::Standard | Self::Bulk | Self::Pages => WINDOW_SECONDS,
            Self::SignIn | Self::SignInOfNetwork => SIGN_IN_WINDOW_SECONDS,
            Self::SecondStep => CODES_WINDOW_SECONDS,
        }
    }
}

/// A client whose calls are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RateLimited {
    /// Calls of a user, with any key or session.
    User(UserId),
    /// Calls without a valid key or session from a network.
    Network(ClientNetwork),
    /// Attempts to sign in with this email identity from a network.
    SignIn {
        /// The identity.
        identity: String,
        /// The network.
        network: ClientNetwork,
    },
}

/// The network of a client: an IPv4 address, or the first 64 bits of an IPv6 address, because a host usually has all
/// addresses below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpAddr);

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        })
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The user of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenUser {
    /// The user.
    pub user: UserId,
    /// The user's company.
    pub company: CompanyId,
    /// When the token expires.
    pub expires_at: Option<Timestamp>,
}

/// The outcome of counting a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitState {
    /// Whether the call is admitted.
    pub is_admitted: bool,
    /// How many calls the window admits.
    pub quota: u32,
    /// How many more it admits now.
    pub remaining: u32,
    /// When the oldest counted call leaves the window, which then admits one more.
    pub reset_at: Timestamp,
    /// The time until then in whole seconds, rounded up, at least 1.
    pub wait_seconds: i64,
}

impl RateLimitState {
    /// The state of a window that admits one more call at `reset_at`.
    pub(super) fn until(
        reset_at: Timestamp,
        now: Timestamp,
        is_admitted: bool,
        quota: u32,
        remaining: u32,
    ) -> Self {
        let micros = reset_at.micros().saturating_sub(now.micros());
        let wait_seconds = micros.saturating_add(999_999).div_euclid(1_000_000).max(1);
        Self { is_admitted, quota, remaining, reset_at, wait_seconds }
    }
}

/// Which leases of quota an instance gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiveBack {
    /// Those that have expired.
    Expired,
    /// All of them, because the instance stops.
    All,
}

/// Counts calls, and remembers the users of tokens, so that a rejected call needs no store. Its memory is bounded, and
/// unknown tokens are not remembered. An implementation that several instances share leases quota from a
/// [`QuotaStore`](super::QuotaStore).
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Counts a call unless the quota is used up; `None` when the bucket has no limit. It never waits for long: if the
    /// store that instances share does not answer, the instance counts by itself.
    async fn acquire(
        &self,
        client: RateLimited,
        bucket: Bucket,
        now: Timestamp,
    ) -> Option<RateLimitState>;

    /// Takes back a call that was admitted at this moment.
    fn take_back(&self, client: &RateLimited, bucket: Bucket, at: Timestamp);

    /// Remembers the user of a token.
    fn remember(&self, token: TokenHash, user: TokenUser);

    /// The user of a token at its last look-up; `None` when it is not remembered. It determines whose quota counts, and
    /// does not mean that the token is still valid.
    fn user_of(&self, token: &TokenHash) -> Option<TokenUser>;

    /// Forgets a token that turned out to be invalid.
    fn forget_token(&self, token: &TokenHash);

    /// Gives unused quota back to the other instances. It is called about every second and once at shutdown.
    async fn give_back(&self, leases: GiveBack, now: Timestamp);
}

#[cfg(test)]
mod tests {
    use super::ClientNetwork;

    #[test]
    fn a_network_is_an_ipv4_address_or_half_of_an_ipv6_address() {
        let network = |text: &str| ClientNetwork::from(text.parse::<std::net::IpAddr>().unwrap());
        assert_eq!(network("192.0.2.7"), network("::ffff:192.0.2.7"));
        assert_ne!(network("192.0.2.7"), network("192.0.2.8"));
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2::"));
        assert_ne!(network("2001:db8:1:2::"), network("2001:db8:1:3::"));
    }
}
