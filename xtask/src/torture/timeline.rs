//! When the faults were, to tell what they explain.

use std::time::{Duration, Instant};

/// What was accepted this long before a fault may not have been recorded when it began.
const ON_ITS_WAY: Duration = Duration::from_secs(1);

/// One fault.
#[derive(Clone)]
pub(super) struct Trouble {
    /// Its name.
    pub(super) fault: String,
    /// Whether it keeps the service from recording what it has delivered.
    pub(super) hinders_records: bool,
    /// When it began.
    pub(super) began: Instant,
    /// When it ended.
    pub(super) ended: Instant,
    /// When every instance answered again.
    pub(super) recovered: Instant,
}

impl Trouble {
    /// Whether this fault can have kept what was accepted at this moment from being recorded.
    pub(super) fn explains(&self, accepted: Instant) -> bool {
        self.hinders_records && accepted + ON_ITS_WAY >= self.began && accepted <= self.recovered
    }
}
