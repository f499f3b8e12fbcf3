//! The window of an instance that counts by itself.

use super::RateLimitState;
use super::admitted_calls::AdmittedCalls;
use crate::time::Timestamp;

/// Up to this many moments of calls are exact; more are counted by parts of the window.
const PARTS: usize = 1000;

/// The admitted calls of the last seconds.
#[derive(Clone, Debug)]
pub struct SlidingWindow {
    seconds: i64,
    admitted: AdmittedCalls,
}

impl SlidingWindow {
    /// A window of this length without calls.
    #[must_use]
    pub const fn new(seconds: i64) -> Self {
        Self { seconds, admitted: AdmittedCalls::new(seconds, PARTS) }
    }

    /// Counts a call at `now` unless `quota` calls are in the window.
    pub fn acquire(&mut self, now: Timestamp, quota: u32) -> RateLimitState {
        self.admitted.expire(now);
        let is_admitted = self.admitted.total() < quota;
        if is_admitted {
            self.admitted.add(now);
        }
        let remaining = quota.saturating_sub(self.admitted.total());
        let oldest = self.admitted.oldest().unwrap_or(now);
        let reset_at = oldest.plus_seconds(self.seconds);
        RateLimitState::until(reset_at, now, is_admitted, quota, remaining)
    }

    /// Takes back a call that was admitted at this moment.
    pub fn take_back(&mut self, at: Timestamp) {
        self.admitted.take_back(at);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SlidingWindow;
    use crate::time::Timestamp;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(millis * 1000).expect("in range")
    }

    #[test]
    fn the_full_quota_can_be_used_at_once_and_refused_calls_do_not_count() {
        let mut window = SlidingWindow::new(60);
        for spent in 1..=3 {
            let rate_limit = window.acquire(at(0), 3);
            assert!(rate_limit.is_admitted);
            assert_eq!(rate_limit.remaining, 3 - spent);
        }
        for _ in 0..100 {
            let refused = window.acquire(at(30_500), 3);
            assert!(!refused.is_admitted);
            assert_eq!((refused.wait_seconds, refused.reset_at), (30, at(60_000)));
        }
        assert!(window.acquire(at(60_000), 3).is_admitted);
    }

    #[test]
    fn a_call_that_is_taken_back_leaves_room_for_another() {
        let mut window = SlidingWindow::new(60);
        assert!(window.acquire(at(0), 2).is_admitted && window.acquire(at(1), 2).is_admitted);
        window.take_back(at(0));
        window.take_back(at(5));
        let rate_limit = window.acquire(at(2), 2);
        assert!(rate_limit.is_admitted && !window.acquire(at(3), 2).is_admitted);
        assert_eq!(rate_limit.reset_at, at(60_001));
    }

    proptest! {
        #[test]
        fn no_span_of_60_seconds_admits_more_than_the_quota(
            gaps in prop::collection::vec(0_i64..20_000, 1..200),
            quota in 1_u32..12,
        ) {
            let mut window = SlidingWindow::new(60);
            let (mut now, mut admitted) = (0, Vec::new());
            for gap in gaps {
                now += gap;
                let rate_limit = window.acquire(at(now), quota);
                let in_span = admitted.iter().filter(|earlier| now - **earlier < 60_000).count();
                // Admitted if and only if the window has room.
                prop_assert_eq!(rate_limit.is_admitted, in_span < usize::try_from(quota).unwrap());
                if rate_limit.is_admitted {
                    admitted.push(now);
                } else {
                    let later = window.clone().acquire(at(now + rate_limit.wait_seconds * 1000), quota);
                    prop_assert!(later.is_admitted, "waiting Retry-After is enough");
                }
            }
        }
    }
}
