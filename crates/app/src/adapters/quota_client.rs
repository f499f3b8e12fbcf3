//! A client whose quota is shared: its window, and the calls that wait for an answer. One of them asks at a time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use contact_hub_domain::access::{
    Answer, LeaseError, LeasedWindow, QuotaStore, RateLimitState, WindowKey, lease,
};
use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::time::Timestamp;
use metrics::counter;

use super::rate_limiter::Counted;
use super::shared_place::SharedPlace;

/// A client's window at this instance.
pub(super) struct QuotaClient {
    counted: Counted,
    quota: u32,
    window: Mutex<LeasedWindow>,
    /// The turn to ask.
    pub(super) asking: tokio::sync::Mutex<()>,
    waiting: AtomicU32,
}

impl QuotaClient {
    pub(super) fn new(instance: InstanceId, counted: Counted, quota: u32) -> Self {
        let window = LeasedWindow::new(instance, counted.1.window_seconds());
        Self {
            counted,
            quota,
            window: Mutex::new(window),
            asking: tokio::sync::Mutex::default(),
            waiting: AtomicU32::default(),
        }
    }

    pub(super) fn window(&self) -> MutexGuard<'_, LeasedWindow> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a waiting call until the result is dropped.
    pub(super) fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.waiting)
    }

    /// How many calls wait.
    pub(super) fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Requests a lease for this many calls, and reports the calls made. The caller holds the turn. `None` if the store does not
    /// answer.
    pub(super) async fn ask(
        &self,
        store: &dyn QuotaStore,
        place: &SharedPlace,
        now: Timestamp,
        calls: u32,
    ) -> Option<RateLimitState> {
        let (ask, known) = self.window().ask(now, self.quota, calls);
        let _in_transit = InTransit(self);
        let key = WindowKey::of(&self.counted.0, self.counted.1);
        let answer = lease(store, key, &ask, known).await;
        counter!("contact_hub_db_quota_leases_total", "outcome" => outcome(&answer)).increment(1);
        match answer {
            Ok(answer) => {
                place.answers();
                let state = self.window().answered(answer, now, self.quota);
                Some(state)
            }
            Err(error) => {
                place.fails(&error);
                None
            }
        }
    }
}

fn outcome(answer: &Result<Answer, LeaseError>) -> &'static str {
    match answer {
        Ok(answer) if answer.grant.is_admitted => "granted",
        Ok(_) => "refused",
        Err(_) => "failed",
    }
}

/// A call that waits.
pub(super) struct Waiting<'a>(&'a AtomicU32);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A question. If it ends without an answer, its report is sent again with the next one.
struct InTransit<'a>(&'a QuotaClient);

impl Drop for InTransit<'_> {
    fn drop(&mut self) {
        self.0.window().unanswered();
    }
}
