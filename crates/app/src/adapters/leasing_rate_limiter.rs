//! Counts calls together with the other instances on one database.
//!
//! Users and attempts to sign in are shared. Calls without a valid key are not: to count them in the database would cost
//! more than to reject them. A call waits for the shared place only briefly; then this instance counts it by what it
//! knows.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_domain::access::{
    Bucket, GiveBack, QuotaStore, RateLimitState, RateLimited, RateLimiter, Settlement, Step,
    TokenHash, TokenUser,
};
use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::time::Timestamp;
use metrics::counter;
use tokio::time::{Instant, timeout};

use super::quota_client::QuotaClient;
use super::rate_limiter::{Clients, Counted, InMemoryRateLimiter, Quotas};
use super::shared_place::SharedPlace;

/// How long giving back quota may take, so that it never delays a shutdown.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(2);

/// How often expired windows are deleted, and how many statements that may take.
const DELETE_EVERY: Duration = Duration::from_mins(1);
const MAX_DELETES: u32 = 100;

/// How many clients may have something to give back. The quota that further clients hold counts until it leaves the
/// window.
const MAX_UNSETTLED: usize = 100_000;

/// Each instance leases quota from a store that all of them share.
pub struct LeasingRateLimiter {
    quotas: Quotas,
    instance: InstanceId,
    store: Arc<dyn QuotaStore>,
    /// How long a call waits for an answer of the shared place.
    answered_within: Duration,
    place: SharedPlace,
    clients: Clients<Arc<QuotaClient>>,
    unsettled: Mutex<HashSet<Counted>>,
    /// When expired windows were last deleted.
    deleted_at: Mutex<Instant>,
    /// Counts the calls that are not shared.
    alone: InMemoryRateLimiter,
}

impl LeasingRateLimiter {
    /// A rate limiter with these quotas. A call waits for the store for this long.
    #[must_use]
    pub fn new(
        quotas: Quotas,
        instance: InstanceId,
        store: Arc<dyn QuotaStore>,
        answered_within: Duration,
    ) -> Self {
        Self {
            quotas,
            instance,
            store,
            answered_within,
            place: SharedPlace::default(),
            clients: Clients::new(),
            unsettled: Mutex::default(),
            deleted_at: Mutex::new(Instant::now()),
            alone: InMemoryRateLimiter::new(quotas),
        }
    }

    /// Counts a call by its lease, by asking, or alone.
    async fn count(&self, counted: &Counted, now: Timestamp, quota: u32) -> RateLimitState {
        let client = self.client(counted, quota);
        if let Step::Counted(state) = client.window().acquire(now, quota) {
            return state;
        }
        // Most calls have a lease, and then need no memory for this future.
        Box::pin(self.count_by_asking(counted, &client, now, quota)).await
    }

    async fn count_by_asking(
        &self,
        counted: &Counted,
        client: &QuotaClient,
        now: Timestamp,
        quota: u32,
    ) -> RateLimitState {
        let asked = self.in_time(self.ask(client, now, quota)).await;
        let state = asked.unwrap_or_else(|| {
            counter!("contact_hub_http_requests_limited_alone_total", "limit" => counted.1.as_str())
                .increment(1);
            client.window().acquire_alone(now, quota)
        });
        if client.window().settlement(GiveBack::Expired, now) != Settlement::Never {
            self.note_unsettled(counted);
        }
        state
    }

    /// The answer to a question, if it comes in time.
    async fn in_time(
        &self,
        question: impl Future<Output = Option<RateLimitState>>,
    ) -> Option<RateLimitState> {
        match timeout(self.answered_within, question).await {
            Ok(answer) => answer,
            Err(elapsed) => {
                self.place.fails(&elapsed);
                None
            }
        }
    }

    fn client(&self, counted: &Counted, quota: u32) -> Arc<QuotaClient> {
        let fresh = || Arc::new(QuotaClient::new(self.instance, counted.clone(), quota));
        self.clients.of(counted).get_with(counted.clone(), fresh)
    }

    /// Waits for its turn to ask, and asks unless the lease of an earlier question has room. `None` if the shared place
    /// does not answer.
    async fn ask(
        &self,
        client: &QuotaClient,
        now: Timestamp,
        quota: u32,
    ) -> Option<RateLimitState> {
        let _waiting = client.wait();
        let _turn = client.asking.lock().await;
        if let Step::Counted(state) = client.window().acquire(now, quota) {
            return Some(state);
        }
        if !self.place.may_ask() {
            return None;
        }
        client.ask(self.store.as_ref(), &self.place, now, client.waiting()).await
    }

    /// Notes a client that has something to report, now or later.
    fn note_unsettled(&self, counted: &Counted) {
        let mut unsettled = self.unsettled();
        if unsettled.len() < MAX_UNSETTLED {
            unsettled.insert(counted.clone());
        }
    }

    fn unsettled(&self) -> MutexGuard<'_, HashSet<Counted>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn settle(&self, leases: GiveBack, now: Timestamp) {
        let clients: Vec<Counted> = self.unsettled().iter().cloned().collect();
        for counted in clients {
            if !self.settle_client(&counted, leases, now).await {
                return;
            }
        }
    }

    /// Returns whether the shared place may be asked again.
    async fn settle_client(&self, counted: &Counted, leases: GiveBack, now: Timestamp) -> bool {
        let Some(client) = self.clients.of(counted).get(counted) else {
            self.unsettled().remove(counted);
            return true;
        };
        // A call that asks reports as well.
        let Ok(_turn) = client.asking.try_lock() else { return true };
        let settlement = {
            let mut unsettled = self.unsettled();
            let settlement = client.window().settlement(leases, now);
            if settlement == Settlement::Never {
                unsettled.remove(counted);
            }
            settlement
        };
        if settlement != Settlement::Now {
            return true;
        }
        let report = client.ask(self.store.as_ref(), &self.place, now, 0);
        self.place.may_ask() && self.in_time(report).await.is_some()
    }

    async fn delete_expired(&self, now: Timestamp) {
        {
            let mut deleted_at = self.deleted_at.lock().unwrap_or_else(PoisonError::into_inner);
            if deleted_at.elapsed() < DELETE_EVERY {
                return;
            }
            *deleted_at = Instant::now();
        }
        for _ in 0..MAX_DELETES {
            match self.store.delete_expired_windows(now).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "expired rate windows were not deleted");
                    return;
                }
            }
        }
    }
}

/// Whether the instances count this client together.
const fn is_shared((client, bucket): &Counted) -> bool {
    !matches!(
        (client, bucket),
        (RateLimited::Network(_), Bucket::Standard | Bucket::Bulk | Bucket::Pages)
    )
}

#[async_trait]
impl RateLimiter for LeasingRateLimiter {
    async fn acquire(
        &self,
        client: RateLimited,
        bucket: Bucket,
        now: Timestamp,
    ) -> Option<RateLimitState> {
        let counted = (client, bucket);
        if !is_shared(&counted) {
            return self.alone.acquire(counted.0, bucket, now).await;
        }
        match self.quotas.of(bucket) {
            0 => None,
            quota => Some(self.count(&counted, now, quota).await),
        }
    }

    fn take_back(&self, client: &RateLimited, bucket: Bucket, at: Timestamp) {
        let counted = (client.clone(), bucket);
        if !is_shared(&counted) {
            return self.alone.take_back(client, bucket, at);
        }
        if let Some(client) = self.clients.of(&counted).get(&counted) {
            client.window().take_back(at);
            self.note_unsettled(&counted);
        }
    }

    fn remember(&self, token: TokenHash, user: TokenUser) {
        self.alone.remember(token, user);
    }

    fn user_of(&self, token: &TokenHash) -> Option<TokenUser> {
        self.alone.user_of(token)
    }

    fn forget_token(&self, token: &TokenHash) {
        self.alone.forget_token(token);
    }

    async fn give_back(&self, leases: GiveBack, now: Timestamp) {
        let work = async {
            self.settle(leases, now).await;
            self.delete_expired(now).await;
        };
        if timeout(GIVEN_BACK_WITHIN, work).await.is_err() {
            tracing::debug!("unused quota was not given back in time");
        }
    }
}
