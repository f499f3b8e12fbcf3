//! Counts calls in this process's memory.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contact_hub_domain::access::{
    Admission, Bucket, RateLimited, RateLimiter, SlidingWindow, WINDOW_SECONDS,
};
use contact_hub_domain::time::Timestamp;
use moka::sync::Cache;

/// How many clients are counted at once; past that the longest idle are forgotten.
const COUNTED_CLIENTS: u64 = 200_000;

/// How many calls a client may make in a minute; 0 sets no limit.
#[derive(Clone, Copy, Debug)]
pub struct Quotas {
    /// For most calls.
    pub standard: u32,
    /// For bulk calls.
    pub bulk: u32,
}

/// Each instance counts for itself.
pub struct InMemoryRateLimiter {
    quotas: Quotas,
    windows: Cache<(RateLimited, Bucket), Arc<Mutex<SlidingWindow>>>,
}

impl InMemoryRateLimiter {
    /// Counts against these quotas.
    #[must_use]
    pub fn new(quotas: Quotas) -> Self {
        let idle = Duration::from_secs(WINDOW_SECONDS.unsigned_abs() + 1);
        let windows = Cache::builder().max_capacity(COUNTED_CLIENTS).time_to_idle(idle).build();
        Self { quotas, windows }
    }
}

impl RateLimiter for InMemoryRateLimiter {
    fn admit(&self, client: RateLimited, bucket: Bucket, now: Timestamp) -> Option<Admission> {
        let quota = match bucket {
            Bucket::Standard => self.quotas.standard,
            Bucket::Bulk => self.quotas.bulk,
        };
        if quota == 0 {
            return None;
        }
        let window = self.windows.get_with((client, bucket), Arc::default);
        let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
        Some(window.admit(now, quota))
    }
}
