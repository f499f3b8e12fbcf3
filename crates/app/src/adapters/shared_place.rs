//! Whether the place that instances share answers.
//!
//! A question that fails keeps all clients from asking for a while. Then one question tries again while the others are
//! still counted by this instance alone. So a place that does not answer delays few calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long after a failure nothing is asked.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// The state of the shared place.
#[derive(Default)]
pub(super) struct SharedPlace(Mutex<Option<Instant>>);

impl SharedPlace {
    /// Whether a question may be asked now.
    pub(super) fn may_ask(&self) -> bool {
        let mut try_again = self.try_again();
        let now = Instant::now();
        match *try_again {
            Some(at) if now < at => false,
            Some(_) => {
                *try_again = Some(now + TRY_AGAIN);
                true
            }
            None => true,
        }
    }

    /// Notes that a question was answered.
    pub(super) fn answers(&self) {
        if self.try_again().take().is_some() {
            tracing::info!("rate limits are shared with other instances again");
        }
    }

    /// Notes that a question was not answered.
    pub(super) fn fails(&self, error: &(dyn std::error::Error + 'static)) {
        if self.try_again().replace(Instant::now() + TRY_AGAIN).is_none() {
            tracing::warn!(error, "rate limits are not shared for now; this instance limits alone");
        }
    }

    fn try_again(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{SharedPlace, TRY_AGAIN};

    #[tokio::test(start_paused = true)]
    async fn after_a_failure_one_request_tries_again() {
        let place = SharedPlace::default();
        assert!(place.may_ask() && place.may_ask());
        place.fails(&std::fmt::Error);
        assert!(!place.may_ask());
        tokio::time::advance(TRY_AGAIN).await;
        assert!(place.may_ask() && !place.may_ask());
        place.answers();
        assert!(place.may_ask() && place.may_ask());
    }
}
