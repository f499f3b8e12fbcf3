//! Counts calls in this process's memory.
//!
//! Each kind of client has a separate map, so that entries of one kind that cost nothing, such as attempts to sign in
//! with invented emails, never evict entries of another kind. A full map evicts the least recently used entry, which is
//! never a client that is at its limit and still calling.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_domain::access::{
    Bucket, CODE_ATTEMPTS, GiveBack, RateLimitState, RateLimited, RateLimiter, SIGN_IN_ATTEMPTS,
    SIGN_IN_ATTEMPTS_OF_NETWORK, SlidingWindow, TokenHash, TokenUser,
};
use contact_hub_domain::time::Timestamp;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

/// How many clients of one kind are counted at once.
const COUNTED_CLIENTS: u64 = 100_000;

/// How many tokens are cached. Only valid ones are.
const REMEMBERED_TOKENS: u64 = 100_000;

/// How long an unused token is cached.
const REMEMBERED_FOR: Duration = Duration::from_mins(15);

/// How many calls a user may make in a minute; 0 means no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotas {
    /// For most calls.
    pub standard: u32,
    /// For bulk calls.
    pub bulk: u32,
    /// For pages.
    pub pages: u32,
}

impl Quotas {
    /// How many calls a bucket's window admits; 0 means no limit.
    pub(super) const fn of(self, bucket: Bucket) -> u32 {
        match bucket {
            Bucket::Standard => self.standard,
            Bucket::Bulk => self.bulk,
            Bucket::Pages => self.pages,
            Bucket::SignIn => SIGN_IN_ATTEMPTS,
            Bucket::SignInOfNetwork => SIGN_IN_ATTEMPTS_OF_NETWORK,
            Bucket::SecondStep => CODE_ATTEMPTS,
        }
    }
}

/// What is counted together.
pub(super) type Counted = (RateLimited, Bucket);

/// One bounded map for each kind of client.
pub(super) struct Clients<W> {
    users: Cache<Counted, W>,
    networks: Cache<Counted, W>,
    sign_ins: Cache<Counted, W>,
    sign_ins_of_networks: Cache<Counted, W>,
    second_steps: Cache<Counted, W>,
}

impl<W: Clone + Send + Sync + 'static> Clients<W> {
    pub(super) fn new() -> Self {
        let windows = |bucket: Bucket| {
            bounded(
                COUNTED_CLIENTS,
                Duration::from_secs(bucket.window_seconds().unsigned_abs() + 1),
            )
        };
        Self {
            users: windows(Bucket::Standard),
            networks: windows(Bucket::Standard),
            sign_ins: windows(Bucket::SignIn),
            sign_ins_of_networks: windows(Bucket::SignInOfNetwork),
            second_steps: windows(Bucket::SecondStep),
        }
    }

    /// The map that has this client.
    pub(super) const fn of(&self, (client, bucket): &Counted) -> &Cache<Counted, W> {
        match (client, bucket) {
            (_, Bucket::SecondStep) => &self.second_steps,
            (RateLimited::User(_), _) => &self.users,
            (_, Bucket::SignInOfNetwork) => &self.sign_ins_of_networks,
            (RateLimited::Network(_), _) => &self.networks,
            (RateLimited::SignIn { .. }, _) => &self.sign_ins,
        }
    }
}

/// Each instance counts its own calls.
pub struct InMemoryRateLimiter {
    quotas: Quotas,
    windows: Clients<Arc<Mutex<SlidingWindow>>>,
    tokens: Cache<TokenHash, TokenUser>,
}

impl InMemoryRateLimiter {
    /// A rate limiter with these quotas.
    #[must_use]
    pub fn new(quotas: Quotas) -> Self {
        let tokens = bounded(REMEMBERED_TOKENS, REMEMBERED_FOR);
        Self { quotas, windows: Clients::new(), tokens }
    }

    fn count(&self, client: RateLimited, bucket: Bucket, now: Timestamp) -> Option<RateLimitState> {
        let quota = self.quotas.of(bucket);
        if quota == 0 {
            return None;
        }
        let counted = (client, bucket);
        let fresh = || Arc::new(Mutex::new(SlidingWindow::new(bucket.window_seconds())));
        let window = self.windows.of(&counted).get_with(counted, fresh);
        let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
        Some(window.acquire(now, quota))
    }
}

/// A map that evicts entries that are idle for this long, and the least recently used one when it is full. The eviction
/// policy must be LRU: moka's default would not admit a new client while the others call more often.
fn bounded<K, V>(most: u64, idle: Duration) -> Cache<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    let lru = EvictionPolicy::lru();
    Cache::builder().max_capacity(most).time_to_idle(idle).eviction_policy(lru).build()
}

#[async_trait]
impl RateLimiter for InMemoryRateLimiter {
    async fn acquire(
        &self,
        client: RateLimited,
        bucket: Bucket,
        now: Timestamp,
    ) -> Option<RateLimitState> {
        self.count(client, bucket, now)
    }

    fn take_back(&self, client: &RateLimited, bucket: Bucket, at: Timestamp) {
        let counted = (client.clone(), bucket);
        if let Some(window) = self.windows.of(&counted).get(&counted) {
            window.lock().unwrap_or_else(PoisonError::into_inner).take_back(at);
        }
    }

    fn remember(&self, token: TokenHash, user: TokenUser) {
        self.tokens.insert(token, user);
    }

    fn user_of(&self, token: &TokenHash) -> Option<TokenUser> {
        self.tokens.get(token)
    }

    fn forget_token(&self, token: &TokenHash) {
        self.tokens.invalidate(token);
    }

    async fn give_back(&self, _leases: GiveBack, _now: Timestamp) {}
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use contact_hub_domain::access::{Bucket, ClientNetwork, RateLimited, SIGN_IN_ATTEMPTS};
    use contact_hub_domain::time::Timestamp;

    use super::{COUNTED_CLIENTS, InMemoryRateLimiter, Quotas};

    fn network(bits: u32) -> ClientNetwork {
        ClientNetwork::from(std::net::IpAddr::from(Ipv4Addr::from_bits(bits)))
    }

    fn sign_in(name: &str, from: u32) -> RateLimited {
        RateLimited::SignIn { identity: name.to_owned(), network: network(from) }
    }

    #[test]
    fn cheap_attempts_do_not_clear_a_client_at_its_limit() {
        let limiter = InMemoryRateLimiter::new(Quotas { standard: 3, bulk: 0, pages: 0 });
        let now = Timestamp::from_micros(0).expect("in range");
        let guesser = sign_in("owner@example.com", 1);
        for _ in 0..SIGN_IN_ATTEMPTS {
            let admitted = limiter.count(guesser.clone(), Bucket::SignIn, now);
            assert!(admitted.is_some_and(|it| it.is_admitted));
        }
        let caller = RateLimited::Network(network(1));
        for _ in 0..3 {
            assert!(
                limiter.count(caller.clone(), Bucket::Standard, now).expect("a limit").is_admitted
            );
        }
        let refused = |client: &RateLimited, bucket| {
            !limiter.count(client.clone(), bucket, now).expect("a limit").is_admitted
        };
        for n in 2..620_000_u32 {
            let _other_network =
                limiter.count(RateLimited::Network(network(n)), Bucket::SignInOfNetwork, now);
            let _other_email = limiter.count(sign_in("x", n), Bucket::SignIn, now);
            if n % 10_000 == 0 {
                assert!(refused(&guesser, Bucket::SignIn), "after {n} attempts");
                // On a busy machine this takes longer than an idle client is kept.
                assert!(refused(&caller, Bucket::Standard), "after {n} attempts");
            }
        }
        limiter.windows.sign_ins.run_pending_tasks();
        assert!(limiter.windows.sign_ins.entry_count() <= COUNTED_CLIENTS);
    }

    #[test]
    fn a_full_map_still_counts_a_new_client() {
        let limiter = InMemoryRateLimiter::new(Quotas { standard: 2, bulk: 0, pages: 0 });
        let now = Timestamp::from_micros(0).expect("in range");
        let admit = |n: u32| {
            limiter.count(RateLimited::Network(network(n)), Bucket::Standard, now).expect("a limit")
        };
        let most = u32::try_from(COUNTED_CLIENTS).expect("few");
        for n in 0..most {
            let (_first, _second, _refused) = (admit(n), admit(n), admit(n));
        }
        limiter.windows.networks.run_pending_tasks();
        let new = most + 7;
        assert!(admit(new).is_admitted && admit(new).is_admitted);
        limiter.windows.networks.run_pending_tasks();
        assert!(!admit(new).is_admitted);
    }
}
