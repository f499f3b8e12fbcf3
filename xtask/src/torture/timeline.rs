//! When the faults happened, to decide what they explain.

use std::time::{Duration, Instant};

/// An event that was accepted this long before a fault may not have been recorded when it began; on a loaded machine
/// a record may fail this long after the recovery.
const AROUND: Duration = Duration::from_secs(1);

/// One fault.
#[derive(Clone)]
pub(super) struct Trouble {
    /// Its name.
    pub(super) fault: String,
    /// Whether it keeps the service from recording deliveries.
    pub(super) hinders_records: bool,
    /// When it began.
    pub(super) began: Instant,
    /// When it ended.
    pub(super) ended: Instant,
    /// When every instance answered again.
    pub(super) recovered: Instant,
}

impl Trouble {
    /// Whether this fault can have prevented the recording of an event that was accepted at this moment. Then it was
    /// in transit, and is delivered again.
    pub(super) fn explains(&self, accepted: Instant) -> bool {
        self.hinders_records
            && accepted + AROUND >= self.began
            && accepted <= self.recovered + AROUND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_explains_what_was_accepted_around_it() {
        let second = Duration::from_secs(1);
        let start = Instant::now();
        let trouble = Trouble {
            fault: "a fault".to_owned(),
            hinders_records: true,
            began: start + 10 * second,
            ended: start + 12 * second,
            recovered: start + 13 * second,
        };
        let explained = [8, 9, 13, 14, 15].map(|at| trouble.explains(start + at * second));
        assert_eq!(explained, [false, true, true, true, false]);
        let harmless = Trouble { hinders_records: false, ..trouble };
        assert!(!harmless.explains(start + 11 * second));
    }
}
