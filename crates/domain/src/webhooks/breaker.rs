//! The circuit breaker for a receiver that does not answer.

use std::time::Duration;

use super::{AttemptOutcome, MAX_ATTEMPTS_AT_ONCE};
use crate::time::Timestamp;

/// The number of concurrent attempts is halved after each group of this many attempts in a row without an answer, down
/// to one.
const HALVED_EVERY: u32 = 4;

/// After this many attempts in a row without an answer, each further one is followed by a pause.
const PAUSED_FROM: u32 = 8;

/// The first pause; each further attempt without an answer doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause. A longer pause is ignored, because a clock that was ahead has written it.
pub const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The attempts at a webhook since its receiver last answered. Any answer counts, even a failure, because a quick
/// answer takes no capacity from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breaker {
    /// How many attempts in a row have ended without an answer.
    pub unanswered: u32,
    /// The end of the pause. Until then only deliveries that a person resent are sent.
    pub paused_until: Option<Timestamp>,
}

impl Breaker {
    /// The maximum of attempts in progress at once.
    #[must_use]
    pub fn slots(&self) -> u32 {
        let halvings = self.unanswered / HALVED_EVERY;
        MAX_ATTEMPTS_AT_ONCE.checked_shr(halvings).unwrap_or(0).max(1)
    }

    /// Updates the breaker with an attempt that ended at this moment.
    pub fn observe(&mut self, outcome: AttemptOutcome, ended_at: Timestamp) {
        if matches!(outcome, AttemptOutcome::Answered(_)) {
            *self = Self::default();
            return;
        }
        self.unanswered = self.unanswered.saturating_add(1);
        if let Some(doublings) = self.unanswered.checked_sub(PAUSED_FROM) {
            let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
            let pause = FIRST_PAUSE.saturating_mul(factor).min(LONGEST_PAUSE);
            let until = ended_at.plus(pause);
            // A clock that was ahead has written a later end.
            let latest = ended_at.plus(LONGEST_PAUSE);
            let before = self.paused_until.filter(|before| *before <= latest);
            self.paused_until = Some(before.map_or(until, |before| before.max(until)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Breaker, LONGEST_PAUSE};
    use crate::time::Timestamp;
    use crate::webhooks::{AttemptOutcome, ErrorClass};

    fn start() -> Timestamp {
        Timestamp::from_micros(0).expect("in range")
    }

    /// A breaker after this many attempts in a row without an answer, all at the same time.
    fn after(unanswered: u32) -> Breaker {
        let mut breaker = Breaker::default();
        for _ in 0..unanswered {
            breaker.observe(AttemptOutcome::Failed(ErrorClass::Timeout), start());
        }
        breaker
    }

    #[test]
    fn missing_answers_reduce_slots_down_to_one() {
        let slots = [0, 3, 4, 7, 8, 11, 12, 1000].map(|unanswered| after(unanswered).slots());
        assert_eq!(slots, [8, 8, 4, 4, 2, 2, 1, 1]);
    }

    #[test]
    fn missing_answers_cause_pauses_that_double_up_to_a_minute() {
        assert_eq!(after(7).paused_until, None);
        for (unanswered, seconds) in [(8, 1), (9, 2), (10, 4), (13, 32), (14, 60), (1000, 60)] {
            let until = start().plus(Duration::from_secs(seconds));
            assert_eq!(after(unanswered).paused_until, Some(until), "{unanswered}");
        }
        assert_eq!(LONGEST_PAUSE.as_secs(), 60);
    }

    #[test]
    fn a_pause_written_by_a_clock_that_is_ahead_is_replaced() {
        let ahead = start().plus(Duration::from_mins(5));
        let mut breaker = Breaker { unanswered: 7, paused_until: Some(ahead) };
        breaker.observe(AttemptOutcome::Failed(ErrorClass::Timeout), start());
        assert_eq!(breaker.paused_until, Some(start().plus(Duration::from_secs(1))));
    }

    #[test]
    fn any_answer_resets_the_breaker() {
        for status in [200, 500] {
            let mut breaker = after(20);
            breaker.observe(AttemptOutcome::Answered(status), start());
            assert_eq!(breaker, Breaker::default());
        }
    }
}
