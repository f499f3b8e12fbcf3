//! A clock that tests can move.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use contact_hub::adapters::SystemClock;
use contact_hub_domain::ports::Clock;
use contact_hub_domain::time::Timestamp;

/// The machine's clock, moved forward by a test.
#[derive(Clone, Debug, Default)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// Moves the clock forward.
    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_seconds(self.0.load(Ordering::SeqCst))
    }
}
