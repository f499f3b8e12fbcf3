//! Runs work that may block forever inside a driver, on a separate thread.
//!
//! The caller waits up to a limit and then continues without the result. The thread ends only when the driver returns.
//! At most [`MAX_THREADS`] exist at the same time, so that their number stays small if a server never answers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The maximum number of threads of one runner, including those whose callers gave up.
const MAX_THREADS: usize = 64;

/// Runs work on separate threads. Clones share the bound.
#[derive(Clone, Default)]
pub(crate) struct BoundedRunner {
    threads: Arc<AtomicUsize>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotDone {
    #[error("it took longer than {} ms", .0.as_millis())]
    TimedOut(Duration),
    #[error("too many threads are blocked by the database")]
    TooManyThreads,
    #[error("no thread was started: {0}")]
    NoThread(#[from] std::io::Error),
}

impl BoundedRunner {
    /// Returns the result of the work, unless it takes longer than `limit`.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let place = Place::take(&self.threads).ok_or(NotDone::TooManyThreads)?;
        let (sender, receiver) = mpsc::sync_channel(1);
        std::thread::Builder::new().name("database".to_owned()).spawn(move || {
            let _place = place;
            // Fails when the caller gave up and dropped the receiver.
            sender.send(work()).ok();
        })?;
        receiver.recv_timeout(limit).map_err(|_elapsed| NotDone::TimedOut(limit))
    }
}

/// Counts one thread until it is dropped.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(threads: &Arc<AtomicUsize>) -> Option<Self> {
        let fits = |count: usize| (count < MAX_THREADS).then_some(count + 1);
        threads.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        Some(Self(Arc::clone(threads)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_never_ends_is_abandoned_and_its_threads_are_bounded() {
        let runner = BoundedRunner::default();
        let (release, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..MAX_THREADS {
            let held = Arc::clone(&held);
            let outcome = runner.run(Duration::ZERO, move || {
                held.lock().map(|held| held.recv().is_ok()).ok();
            });
            assert!(matches!(outcome, Err(NotDone::TimedOut(_))), "{outcome:?}");
        }
        let refused = runner.run(Duration::from_mins(1), || ());
        assert!(matches!(refused, Err(NotDone::TooManyThreads)), "{refused:?}");
        drop(release);
        while runner.threads.load(Ordering::Relaxed) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(runner.run(Duration::from_mins(1), || 7).ok(), Some(7));
    }
}
