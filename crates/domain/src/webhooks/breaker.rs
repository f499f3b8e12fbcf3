//! How many attempts at once a receiver gets: more while it answers quickly, fewer while it does not answer.

use std::time::Duration;

use super::{AttemptOutcome, AttemptResult, FIRST_ATTEMPTS_AT_ONCE, MAX_ATTEMPTS_AT_ONCE};
use crate::time::Timestamp;

/// A success within this time permits one more attempt at once, so the number doubles with each full round.
const QUICK: Duration = Duration::from_millis(100);

/// An answer after more than this time halves the number, but not below the first one. So does a failure.
const SLOW: Duration = Duration::from_secs(1);

/// After every this many attempts in a row without an answer, the number of attempts at once is halved, down to one.
const HALVED_EVERY: u32 = 4;

/// After this many attempts in a row without an answer, each further one is followed by a pause.
const PAUSED_FROM: u32 = 8;

/// The first pause; each further attempt without an answer doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause. A longer pause is ignored, because a clock that was ahead has written it.
pub const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The recent attempts at a webhook. For the breaker any answer counts, also a failure, because a quick answer takes no
/// capacity from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaker {
    /// The maximum of attempts at once while the receiver answers.
    pace: u32,
    /// How many attempts in a row have ended without an answer.
    pub unanswered: u32,
    /// The end of the pause. Until then only deliveries that a person resent are sent.
    pub paused_until: Option<Timestamp>,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { pace: FIRST_ATTEMPTS_AT_ONCE, unanswered: 0, paused_until: None }
    }
}

impl Breaker {
    /// A breaker as it was stored.
    #[must_use]
    pub fn from_stored(slots: u32, unanswered: u32, paused_until: Option<Timestamp>) -> Self {
        Self { pace: within_bounds(slots), unanswered, paused_until }
    }

    /// The maximum of attempts in progress at once.
    #[must_use]
    pub fn slots(&self) -> u32 {
        let halvings = self.unanswered / HALVED_EVERY;
        self.pace.checked_shr(halvings).unwrap_or(0).max(1)
    }

    /// Updates the breaker with the result of an attempt.
    pub fn observe(&mut self, result: &AttemptResult) {
        if matches!(result.outcome, AttemptOutcome::Answered(_)) {
            let pace = match result.outcome.is_success() {
                true if result.duration <= QUICK => self.pace.saturating_add(1),
                true if result.duration <= SLOW => self.pace,
                _ => self.pace / 2,
            };
            *self = Self { pace: within_bounds(pace), ..Self::default() };
            return;
        }
        let ended_at = result.ended_at();
        self.pace = FIRST_ATTEMPTS_AT_ONCE;
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

fn within_bounds(slots: u32) -> u32 {
    slots.clamp(FIRST_ATTEMPTS_AT_ONCE, MAX_ATTEMPTS_AT_ONCE)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Breaker, LONGEST_PAUSE};
    use crate::time::Timestamp;
    use crate::webhooks::{AttemptOutcome, AttemptResult, ErrorClass};

    fn start() -> Timestamp {
        Timestamp::from_micros(0).expect("in range")
    }

    fn result(outcome: AttemptOutcome, millis: u64) -> AttemptResult {
        let duration = Duration::from_millis(millis);
        let started_at = start().minus(duration);
        AttemptResult { started_at, duration, outcome, retry_after: None, answer: None }
    }

    fn silence() -> AttemptResult {
        result(AttemptOutcome::Failed(ErrorClass::Timeout), 15_000)
    }

    /// A breaker after this many attempts in a row without an answer, all at one moment.
    fn after(unanswered: u32) -> Breaker {
        let mut breaker = Breaker::default();
        (0..unanswered).for_each(|_| breaker.observe(&silence()));
        breaker
    }

    /// A breaker after this many quick successes.
    fn quick(successes: u32) -> Breaker {
        let mut breaker = Breaker::default();
        (0..successes).for_each(|_| breaker.observe(&result(AttemptOutcome::Answered(200), 100)));
        breaker
    }

    #[test]
    fn quick_successes_raise_the_slots_up_to_the_maximum() {
        assert_eq!([0, 1, 8, 56, 1000].map(|number| quick(number).slots()), [8, 9, 16, 64, 64]);
    }

    #[test]
    fn the_first_slowness_or_failure_halves_the_slots_down_to_the_first() {
        for (status, millis, slots) in
            [(200, 101, 64), (200, 1000, 64), (200, 1001, 32), (500, 1, 32), (404, 2000, 32)]
        {
            let mut breaker = quick(100);
            breaker.observe(&result(AttemptOutcome::Answered(status), millis));
            assert_eq!(breaker.slots(), slots, "{status} after {millis} ms");
        }
        let mut breaker = quick(100);
        (0..9).for_each(|_| breaker.observe(&result(AttemptOutcome::Answered(500), 1)));
        assert_eq!(breaker.slots(), 8);
        let mut breaker = quick(100);
        breaker.observe(&silence());
        assert_eq!(breaker.slots(), 8);
    }

    #[test]
    fn stored_slots_are_kept_within_the_bounds() {
        let stored = |slots, unanswered| Breaker::from_stored(slots, unanswered, None).slots();
        assert_eq!([stored(8, 0), stored(40, 0), stored(1000, 0)], [8, 40, 64]);
        assert_eq!([stored(4, 4), stored(1, 12)], [4, 1]);
    }

    #[test]
    fn silence_takes_slots_down_to_one() {
        let slots = [0, 3, 4, 7, 8, 11, 12, 1000].map(|unanswered| after(unanswered).slots());
        assert_eq!(slots, [8, 8, 4, 4, 2, 2, 1, 1]);
    }

    #[test]
    fn silence_makes_pauses_that_double_up_to_a_minute() {
        assert_eq!(after(7).paused_until, None);
        for (unanswered, seconds) in [(8, 1), (9, 2), (10, 4), (13, 32), (14, 60), (1000, 60)] {
            let until = start().plus(Duration::from_secs(seconds));
            assert_eq!(after(unanswered).paused_until, Some(until), "{unanswered}");
        }
        assert_eq!(LONGEST_PAUSE.as_secs(), 60);
    }

    #[test]
    fn a_pause_that_a_clock_ahead_has_written_is_replaced() {
        let ahead = start().plus(Duration::from_mins(5));
        let mut breaker = Breaker::from_stored(4, 7, Some(ahead));
        breaker.observe(&silence());
        assert_eq!(breaker.paused_until, Some(start().plus(Duration::from_secs(1))));
    }

    #[test]
    fn any_answer_ends_it() {
        for status in [200, 500] {
            let mut breaker = after(20);
            breaker.observe(&result(AttemptOutcome::Answered(status), 500));
            assert_eq!(breaker, Breaker::default());
        }
    }
}
