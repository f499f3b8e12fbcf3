//! How slowly a client may send a body or read an answer.

use std::time::Duration;

/// The minimum rate, in bytes a second.
pub(crate) const MIN_RATE: u64 = 4 << 10;

/// The longest time that a whole body may take.
const WHOLE_BODY_WITHIN: Duration = Duration::from_mins(5);

/// How long a client may stall, or be slower than the minimum rate.
#[derive(Clone, Copy, Debug)]
pub struct Patience(pub Duration);

impl Patience {
    /// How long after the body's beginning this many bytes must have arrived: the time for them at the minimum rate,
    /// plus the allowed stall.
    pub(crate) fn for_body(self, bytes: usize) -> Duration {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let at_least_rate = Duration::from_millis(bytes.saturating_mul(1000) / MIN_RATE);
        self.0.saturating_add(at_least_rate).min(WHOLE_BODY_WITHIN)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Patience;

    #[test]
    fn received_bytes_extend_the_time_limit() {
        let patience = Patience(Duration::from_secs(10));
        assert_eq!(patience.for_body(0), Duration::from_secs(10));
        assert_eq!(patience.for_body(40 << 10), Duration::from_secs(20));
        assert_eq!(patience.for_body(16 << 20), Duration::from_mins(5));
    }
}
