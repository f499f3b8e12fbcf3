//! Reports whether the worker's loop is running.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A loop without an iteration for this long has stopped. Its pauses are at most a second long, and its waits for the
/// store are bounded.
const STILL: Duration = Duration::from_mins(1);

/// Records the last iteration of the loop.
#[derive(Debug)]
pub struct Heartbeat(Mutex<Instant>);

impl Default for Heartbeat {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl Heartbeat {
    /// Whether the loop ran within the last minute.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < STILL
    }

    pub(crate) fn beat(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Heartbeat;

    #[tokio::test(start_paused = true)]
    async fn after_a_minute_without_a_heartbeat_it_is_not_alive() {
        let heartbeat = Heartbeat::default();
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(heartbeat.is_alive());
        heartbeat.beat();
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(heartbeat.is_alive());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(!heartbeat.is_alive());
    }
}
