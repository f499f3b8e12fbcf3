//! The calls that a window admitted, in bounded memory.

use std::collections::VecDeque;

use crate::time::Timestamp;

/// Calls of one moment, or of a part of the window with the moment of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallsAt {
    /// When they were admitted.
    pub at: Timestamp,
    /// How many there are.
    pub calls: u32,
}

/// The admitted calls of the last seconds, oldest first.
///
/// Any number of calls is counted, in memory that does not depend on it: past as many moments as the window has parts, the
/// calls of one part are counted at the moment of the last one. So they leave the window later, by at most a part of its
/// length, and never earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmittedCalls {
    seconds: i64,
    parts: usize,
    moments: VecDeque<CallsAt>,
    total: u32,
}

impl AdmittedCalls {
    /// No calls, in a window of this length, which has this many parts.
    #[must_use]
    pub const fn new(seconds: i64, parts: usize) -> Self {
        Self { seconds, parts, moments: VecDeque::new(), total: 0 }
    }

    /// Adds a call. If it is older than the last one, because the clock was set back, it counts at the moment of that one.
    pub fn add(&mut self, at: Timestamp) {
        self.add_all(CallsAt { at, calls: 1 });
    }

    /// Adds those of another window, which were admitted later.
    pub fn append(&mut self, later: &Self) {
        for calls in later.iter() {
            self.add_all(calls);
        }
    }

    fn add_all(&mut self, CallsAt { at, calls }: CallsAt) {
        self.total = self.total.saturating_add(calls);
        let is_full = self.moments.len() >= self.parts;
        let at = self.moments.back().map_or(at, |last| at.max(last.at));
        let together = self
            .moments
            .back()
            .is_some_and(|last| last.at == at || (is_full && self.part(last.at) == self.part(at)));
        match self.moments.back_mut().filter(|_| together) {
            Some(last) => {
                last.at = at;
                last.calls = last.calls.saturating_add(calls);
            }
            None => self.moments.push_back(CallsAt { at, calls }),
        }
    }

    /// Takes back a call that was admitted at this moment; returns whether it was found.
    pub fn take_back(&mut self, at: Timestamp) -> bool {
        let place = self.moments.partition_point(|moment| moment.at < at);
        let part = self.part(at);
        let has_it = self.moments.get(place).is_some_and(|moment| {
            moment.at == at || (moment.calls > 1 && self.part(moment.at) == part)
        });
        let Some(moment) = self.moments.get_mut(place).filter(|_| has_it) else { return false };
        moment.calls -= 1;
        if moment.calls == 0 {
            self.moments.remove(place);
        }
        self.total = self.total.saturating_sub(1);
        true
    }

    /// Removes the calls that have left the window.
    pub fn expire(&mut self, now: Timestamp) {
        while let Some(oldest) = self.moments.front()
            && oldest.at.plus_seconds(self.seconds) <= now
        {
            self.total = self.total.saturating_sub(oldest.calls);
            self.moments.pop_front();
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// When the oldest one was admitted.
    #[must_use]
    pub fn oldest(&self) -> Option<Timestamp> {
        self.moments.front().map(|oldest| oldest.at)
    }

    /// All calls, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = CallsAt> + '_ {
        self.moments.iter().copied()
    }

    fn part(&self, at: Timestamp) -> i64 {
        part_of(at, self.seconds, self.parts)
    }
}

/// The part of a window of this length, with this many parts, that a moment is in.
pub(super) fn part_of(at: Timestamp, seconds: i64, parts: usize) -> i64 {
    let parts = i64::try_from(parts).unwrap_or(i64::MAX);
    let length = (seconds.saturating_mul(1_000_000) / parts.max(1)).max(1);
    at.micros().div_euclid(length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::AdmittedCalls;
    use crate::time::Timestamp;

    const SECONDS: i64 = 60;
    const PARTS: usize = 10;
    const PART: i64 = SECONDS * 1_000_000 / 10;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("in range")
    }

    fn moments(calls: &AdmittedCalls) -> Vec<(i64, u32)> {
        calls.iter().map(|it| (it.at.micros(), it.calls)).collect()
    }

    #[test]
    fn few_moments_are_exact_and_more_are_counted_by_parts() {
        let mut calls = AdmittedCalls::new(SECONDS, PARTS);
        for micros in 0..10 {
            calls.add(at(micros));
            calls.add(at(micros));
        }
        let exact: Vec<_> = (0..10).map(|micros| (micros, 2)).collect();
        assert_eq!(moments(&calls), exact);
        calls.add(at(PART - 1));
        calls.add(at(PART));
        calls.add(at(PART + 5));
        let mut merged = exact;
        merged.pop();
        merged.extend([(PART - 1, 3), (PART + 5, 2)]);
        assert_eq!(moments(&calls), merged);
        assert_eq!((calls.total(), calls.oldest()), (23, Some(at(0))));
    }

    #[test]
    fn a_call_of_a_part_is_taken_back_and_one_that_has_left_takes_back_no_other() {
        let mut calls = AdmittedCalls::new(SECONDS, 1);
        let later = SECONDS * 1_000_000;
        for micros in [3, 7, later + 5, later + 6] {
            calls.add(at(micros));
        }
        calls.expire(at(later + 7));
        assert_eq!(moments(&calls), [(later + 6, 2)]);
        assert!(!calls.take_back(at(7)));
        assert!(calls.take_back(at(later + 5)));
        assert!(!calls.take_back(at(later + 5)), "only the last one is left");
        assert!(calls.take_back(at(later + 6)));
        assert!(calls.is_empty() && calls.total() == 0);
    }

    #[test]
    fn a_call_by_a_clock_that_was_set_back_counts_with_the_last_one() {
        let mut calls = AdmittedCalls::new(SECONDS, PARTS);
        calls.add(at(50));
        calls.add(at(20));
        assert_eq!(moments(&calls), [(50, 2)]);
    }

    proptest! {
        #[test]
        fn calls_leave_the_window_at_most_a_part_too_late_and_never_too_early(
            gaps in prop::collection::vec(prop_oneof![0_i64..2000, 0_i64..3_000_000], 1..300),
        ) {
            let mut calls = AdmittedCalls::new(SECONDS, PARTS);
            let (mut now, mut all) = (0, Vec::new());
            for gap in gaps {
                now += gap;
                calls.expire(at(now));
                calls.add(at(now));
                all.push(now);
                let within = |span: i64| {
                    u32::try_from(all.iter().filter(|it| **it + span > now).count()).expect("few")
                };
                let length = SECONDS * 1_000_000;
                prop_assert!(calls.total() >= within(length));
                prop_assert!(calls.total() <= within(length + PART));
                prop_assert_eq!(calls.iter().map(|it| it.calls).sum::<u32>(), calls.total());
                prop_assert!(calls.iter().count() <= 2 * PARTS + 1);
                prop_assert!(calls.iter().is_sorted_by_key(|it| it.at));
            }
        }
    }
}
