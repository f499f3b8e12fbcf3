//! The rate limit: a sliding window.
//!
//! The full quota may be used at once. No span of the window's length admits more than the quota. Rejected calls do not
//! count.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv6Addr};

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::TokenHash;
use crate::ids::UserId;
use crate::time::Timestamp;

/// The length of the window in which calls count, in seconds.
pub const WINDOW_SECONDS: i64 = 60;

/// The length of the window in which attempts to sign in count, in seconds.
pub const SIGN_IN_WINDOW_SECONDS: i64 = 15 * 60;

/// The maximum of attempts to sign in with one email from one network in that window.
pub const SIGN_IN_ATTEMPTS: u32 = 10;

/// The maximum of failed attempts to sign in from one network in that window, with any email.
pub const SIGN_IN_ATTEMPTS_OF_NETWORK: u32 = 60;

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
}

impl Bucket {
    /// The length of the bucket's window, in seconds.
    #[must_use]
    pub const fn window_seconds(self) -> i64 {
        match self {
            Self::Standard | Self::Bulk | Self::Pages => WINDOW_SECONDS,
            Self::SignIn | Self::SignInOfNetwork => SIGN_IN_WINDOW_SECONDS,
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

/// The user of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenUser {
    /// The user.
    pub user: UserId,
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

/// Counts calls, and remembers the users of tokens, so that a rejected call needs no store. Its memory is bounded, and
/// unknown tokens are not remembered. An implementation that several instances share applies [`SlidingWindow`] to all
/// of them together.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait RateLimiter: Send + Sync {
    /// Counts a call unless the quota is used up; `None` when the bucket has no limit.
    fn acquire(
        &self,
        client: RateLimited,
        bucket: Bucket,
        now: Timestamp,
    ) -> Option<RateLimitState>;

    /// Takes back a call that was admitted at this moment.
    fn take_back(&self, client: &RateLimited, bucket: Bucket, at: Timestamp);

    /// Forgets the calls that a client made in a bucket.
    fn forget(&self, client: &RateLimited, bucket: Bucket);

    /// Remembers the user of a token.
    fn remember(&self, token: TokenHash, user: TokenUser);

    /// The user of a token at its last look-up; `None` when it is not remembered. It determines whose quota counts, and
    /// does not mean that the token is still valid.
    fn user_of(&self, token: &TokenHash) -> Option<TokenUser>;

    /// Forgets a token that turned out to be invalid.
    fn forget_token(&self, token: &TokenHash);
}

/// The admitted calls of the last seconds, oldest first.
#[derive(Clone, Debug)]
pub struct SlidingWindow {
    seconds: i64,
    admitted: VecDeque<Timestamp>,
}

impl SlidingWindow {
    /// A window of this length without calls.
    #[must_use]
    pub const fn new(seconds: i64) -> Self {
        Self { seconds, admitted: VecDeque::new() }
    }

    /// Counts a call at `now` unless `quota` calls are in the window.
    pub fn acquire(&mut self, now: Timestamp, quota: u32) -> RateLimitState {
        while self.admitted.front().is_some_and(|oldest| oldest.plus_seconds(self.seconds) <= now) {
            self.admitted.pop_front();
        }
        let counted = u32::try_from(self.admitted.len()).unwrap_or(u32::MAX);
        let is_admitted = counted < quota;
        if is_admitted {
            self.admitted.push_back(now);
        }
        let remaining = quota.saturating_sub(counted.saturating_add(u32::from(is_admitted)));
        let oldest = self.admitted.front().copied().unwrap_or(now);
        let reset_at = oldest.plus_seconds(self.seconds);
        let micros = reset_at.micros().saturating_sub(now.micros());
        let wait_seconds = micros.saturating_add(999_999).div_euclid(1_000_000).max(1);
        RateLimitState { is_admitted, quota, remaining, reset_at, wait_seconds }
    }

    /// Takes back a call that was admitted at this moment.
    pub fn take_back(&mut self, at: Timestamp) {
        if let Some(place) = self.admitted.iter().rposition(|admitted| *admitted == at) {
            self.admitted.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ClientNetwork, SlidingWindow};
    use crate::time::Timestamp;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(millis * 1000).expect("in range")
    }

    #[test]
    fn the_full_quota_may_be_spent_at_once_and_refused_calls_do_not_count() {
        let mut window = SlidingWindow::new(60);
        for spent in 1..=3 {
            let rate_limit = window.acquire(at(0), 3);
            assert!(rate_limit.is_admitted);
            assert_eq!(rate_limit.remaining, 3 - spent);
        }
        for _ in 0..100 {
            let refused = window.acquire(at(30_500), 3);
            assert!(!refused.is_admitted);
            assert_eq!((refused.wait_seconds, refused.reset_at), (30, at(60_000)));
        }
        assert!(window.acquire(at(60_000), 3).is_admitted);
    }

    #[test]
    fn a_call_that_is_taken_back_leaves_room_for_another() {
        let mut window = SlidingWindow::new(60);
        assert!(window.acquire(at(0), 2).is_admitted && window.acquire(at(1), 2).is_admitted);
        window.take_back(at(0));
        window.take_back(at(5));
        let rate_limit = window.acquire(at(2), 2);
        assert!(rate_limit.is_admitted && !window.acquire(at(3), 2).is_admitted);
        assert_eq!(rate_limit.reset_at, at(60_001));
    }

    #[test]
    fn a_network_is_an_address_or_half_of_one() {
        let network = |text: &str| ClientNetwork::from(text.parse::<std::net::IpAddr>().unwrap());
        assert_eq!(network("192.0.2.7"), network("::ffff:192.0.2.7"));
        assert_ne!(network("192.0.2.7"), network("192.0.2.8"));
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2::"));
        assert_ne!(network("2001:db8:1:2::"), network("2001:db8:1:3::"));
    }

    proptest! {
        #[test]
        fn no_span_of_60_seconds_admits_more_than_the_quota(
            gaps in prop::collection::vec(0_i64..20_000, 1..200),
            quota in 1_u32..12,
        ) {
            let mut window = SlidingWindow::new(60);
            let (mut now, mut admitted) = (0, Vec::new());
            for gap in gaps {
                now += gap;
                let rate_limit = window.acquire(at(now), quota);
                let in_span = admitted.iter().filter(|earlier| now - **earlier < 60_000).count();
                // Admitted exactly when the window has room.
                prop_assert_eq!(rate_limit.is_admitted, in_span < usize::try_from(quota).unwrap());
                if rate_limit.is_admitted {
                    admitted.push(now);
                } else {
                    let later = window.clone().acquire(at(now + rate_limit.wait_seconds * 1000), quota);
                    prop_assert!(later.is_admitted, "waiting Retry-After is enough");
                }
            }
        }
    }
}
