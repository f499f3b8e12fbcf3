//! Logs the progress of long waits and long work.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The interval between progress logs.
const LOG_EVERY: Duration = Duration::from_secs(5);

/// A wait that is logged when it begins and every few seconds.
pub(crate) struct Progress {
    began: Instant,
    logged: Option<Instant>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { began: Instant::now(), logged: None }
    }
}

impl Progress {
    /// Logs the reason for the wait, unless it was logged recently.
    pub(crate) fn log_waiting(&mut self, reason: &str) {
        if self.logged.is_none_or(|logged| logged.elapsed() >= LOG_EVERY) {
            self.logged = Some(Instant::now());
            tracing::info!(reason, elapsed_s = self.began.elapsed().as_secs(), "waiting");
        }
    }
}

/// Runs the work, and logs every few seconds that this migration is still running.
pub(crate) fn with_heartbeat<T>(migration: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let (ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while end.recv_timeout(LOG_EVERY) == Err(RecvTimeoutError::Timeout) {
                let elapsed_s = began.elapsed().as_secs();
                tracing::info!(migration, elapsed_s, "a migration is still being applied");
            }
        });
        let done = work();
        drop(ended);
        done
    })
}
