//! Counts calls in this process's memory.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contact_hub_domain::access::{
    Admission, Bucket, RateLimited, RateLimiter, SIGN_IN_ATTEMPTS, SlidingWindow,
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

type Windows = Cache<(RateLimited, Bucket), Arc<Mutex<SlidingWindow>>>;

/// Each instance counts for itself.
pub struct InMemoryRateLimiter {
    quotas: Quotas,
    calls: Windows,
    sign_ins: Windows,
}

impl InMemoryRateLimiter {
    /// Counts against these quotas.
    #[must_use]
    pub fn new(quotas: Quotas) -> Self {
        let windows = |bucket: Bucket| {
            let idle = Duration::from_secs(bucket.window_seconds().unsigned_abs() + 1);
            Cache::builder().max_capacity(COUNTED_CLIENTS).time_to_idle(idle).build()
        };
        Self { quotas, calls: windows(Bucket::Standard), sign_ins: windows(Bucket::SignIn) }
    }

    const fn windows(&self, bucket: Bucket) -> &Windows {
        match bucket {
            Bucket::Standard | Bucket::Bulk => &self.calls,
            Bucket::SignIn => &self.sign_ins,
        }
    }
}

impl RateLimiter for InMemoryRateLimiter {
    fn admit(&self, client: RateLimited, bucket: Bucket, now: Timestamp) -> Option<Admission> {
        let quota = match bucket {
            Bucket::Standard => self.quotas.standard,
            Bucket::Bulk => self.quotas.bulk,
            Bucket::SignIn => SIGN_IN_ATTEMPTS,
        };
        if quota == 0 {
            return None;
        }
        let fresh = || Arc::new(Mutex::new(SlidingWindow::new(bucket.window_seconds())));
        let window = self.windows(bucket).get_with((client, bucket), fresh);
        let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
        Some(window.admit(now, quota))
    }

    fn forget(&self, client: &RateLimited, bucket: Bucket) {
        self.windows(bucket).invalidate(&(client.clone(), bucket));
    }
}
