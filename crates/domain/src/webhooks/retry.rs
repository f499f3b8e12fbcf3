//! The schedule of retries.

use std::time::Duration;

use super::{AttemptOutcome, AttemptResult, Claimed, EventKind};
use crate::time::Timestamp;

/// The longest `Retry-After` that is respected.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// The jitter in millionths: a delay is multiplied by 0.8 to 1.2.
const MIN_FACTOR: u64 = 800_000;
const FACTORS: u64 = 400_001;
const WHOLE: u128 = 1_000_000;

const GONE: u16 = 410;

/// How long to wait before each retry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule(Vec<Duration>);

/// The next step after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Nothing: the receiver accepted it.
    Succeeded,
    /// A retry at this moment.
    RetryAt(Timestamp),
    /// Nothing: it was the last one.
    Exhausted,
    /// Nothing, and the webhook is switched off: the receiver answered that it is gone.
    Gone,
}

impl Default for RetrySchedule {
    /// About three days, so that a receiver may be down for a weekend.
    fn default() -> Self {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        let seconds = [
            5,
            30,
            2 * MINUTE,
            10 * MINUTE,
            30 * MINUTE,
            HOUR,
            3 * HOUR,
            6 * HOUR,
            12 * HOUR,
            24 * HOUR,
            24 * HOUR,
        ];
        Self(seconds.map(Duration::from_secs).into())
    }
}

impl RetrySchedule {
    /// Takes the delay before each retry. Without delays there are no retries.
    #[must_use]
    pub const fn new(delays: Vec<Duration>) -> Self {
        Self(delays)
    }

    /// The next step after an attempt at a claimed delivery. The random bytes vary the delay by up to 20 %. The
    /// `Retry-After` of a 429 or 503 is respected if it is later, up to [`MAX_RETRY_AFTER`].
    #[must_use]
    pub fn next_step(
        &self,
        claimed: &Claimed,
        result: &AttemptResult,
        random: [u8; 32],
    ) -> NextStep {
        if result.outcome.is_success() {
            return NextStep::Succeeded;
        }
        if result.outcome == AttemptOutcome::Answered(GONE) {
            return NextStep::Gone;
        }
        let place = usize::try_from(claimed.retries).unwrap_or(usize::MAX);
        match self.0.get(place).filter(|_| claimed.kind != EventKind::Test) {
            Some(delay) => {
                let delay = jittered(*delay, random).max(asked_for(result));
                NextStep::RetryAt(result.ended_at().plus(delay))
            }
            None => NextStep::Exhausted,
        }
    }
}

fn jittered(delay: Duration, random: [u8; 32]) -> Duration {
    let randomness = random.first_chunk().copied().unwrap_or_default();
    let factor = MIN_FACTOR + u64::from_le_bytes(randomness) % FACTORS;
    let micros = delay.as_micros().saturating_mul(factor.into()) / WHOLE;
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// The `Retry-After` of an answer whose status permits it.
fn asked_for(result: &AttemptResult) -> Duration {
    let may_ask = matches!(result.outcome, AttemptOutcome::Answered(429 | 503));
    let asked = result.retry_after.filter(|_| may_ask).unwrap_or_default();
    asked.min(MAX_RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{MAX_RETRY_AFTER, NextStep, RetrySchedule};
    use crate::ids::{CompanyId, DeliveryId, EventId, LeaseId, WebhookId};
    use crate::time::Timestamp;
    use crate::webhooks::{
        AttemptOutcome, AttemptResult, Claimed, ErrorClass, EventKind, Headers, PayloadUrl, Trigger,
    };

    fn claimed(kind: EventKind, retries: u32) -> Claimed {
        let id = Uuid::from_u128(1);
        Claimed {
            company: CompanyId::new(id),
            delivery_id: DeliveryId::new(id),
            lease: LeaseId::new(id),
            webhook_id: WebhookId::new(id),
            event_id: EventId::new(id),
            kind,
            number: retries + 1,
            retries,
            trigger: Trigger::Scheduled,
            url: PayloadUrl::from_stored("https://a.example".into()),
            secrets: Vec::new(),
            payload: "{}".into(),
        }
    }

    fn result(outcome: AttemptOutcome, retry_after: Option<u64>) -> AttemptResult {
        AttemptResult {
            started_at: Timestamp::from_micros(0).expect("in range"),
            duration: Duration::from_secs(2),
            outcome,
            retry_after: retry_after.map(Duration::from_secs),
            answer: None,
            request_headers: Headers::default(),
            answer_headers: Headers::default(),
        }
    }

    /// Seconds from the end of the attempt to the retry.
    fn delay(step: NextStep) -> Option<f64> {
        match step {
            NextStep::RetryAt(at) => {
                let micros = i32::try_from(at.micros() / 1000).expect("soon");
                Some(f64::from(micros) / 1000.0 - 2.0)
            }
            _ => None,
        }
    }

    #[test]
    fn no_retry_follows_the_end_of_the_schedule() {
        let schedule = RetrySchedule::default();
        let failed = result(AttemptOutcome::Answered(500), None);
        let step = |kind, retries| schedule.next_step(&claimed(kind, retries), &failed, [0; 32]);
        assert_eq!(delay(step(EventKind::SyncRequested, 0)), Some(4.0));
        assert_eq!(delay(step(EventKind::SyncRequested, 10)), Some(69_120.0));
        assert_eq!(step(EventKind::SyncRequested, 11), NextStep::Exhausted);
        assert_eq!(step(EventKind::Test, 0), NextStep::Exhausted);
    }

    #[test]
    fn success_and_gone_end_the_schedule_at_once() {
        let schedule = RetrySchedule::default();
        for (status, step) in
            [(200, NextStep::Succeeded), (299, NextStep::Succeeded), (410, NextStep::Gone)]
        {
            let result = result(AttemptOutcome::Answered(status), Some(60));
            let claimed = claimed(EventKind::SyncRequested, 0);
            assert_eq!(schedule.next_step(&claimed, &result, [9; 32]), step, "{status}");
        }
    }

    #[test]
    fn only_a_busy_receiver_can_request_a_pause() {
        let schedule = RetrySchedule::new(vec![Duration::from_secs(10)]);
        let step = |status, retry_after| {
            let result = result(AttemptOutcome::Answered(status), Some(retry_after));
            schedule.next_step(&claimed(EventKind::SyncRequested, 0), &result, [0; 32])
        };
        for status in [429, 503] {
            assert_eq!(delay(step(status, 60)), Some(60.0));
            assert_eq!(delay(step(status, 1)), Some(8.0));
            assert_eq!(delay(step(status, 1_000_000)), Some(86_400.0));
        }
        assert_eq!(delay(step(500, 60)), Some(8.0));
    }

    proptest! {
        #[test]
        fn a_retry_is_within_a_fifth_of_its_scheduled_delay(
            random: [u8; 32],
            seconds in 0_u64..1_000_000,
            retries in 0_u32..4,
        ) {
            let schedule = RetrySchedule::new(vec![Duration::from_secs(seconds); 3]);
            let failed = result(AttemptOutcome::Failed(ErrorClass::Timeout), Some(seconds * 9));
            let step = schedule.next_step(&claimed(EventKind::SyncRequested, retries), &failed, random);
            match step {
                NextStep::RetryAt(at) => {
                    let waited = at.micros() - failed.ended_at().micros();
                    let whole = i64::try_from(seconds * 1_000_000).expect("in range");
                    prop_assert!(retries < 3);
                    prop_assert!(waited >= whole / 10 * 8 && waited <= whole / 10 * 12);
                }
                step => prop_assert!(retries == 3 && step == NextStep::Exhausted),
            }
        }

        #[test]
        fn a_pause_is_never_shorter_than_requested_nor_longer_than_the_maximum(
            random: [u8; 32],
            asked in 0_u64..1_000_000,
        ) {
            let schedule = RetrySchedule::new(vec![Duration::from_secs(1)]);
            let busy = result(AttemptOutcome::Answered(503), Some(asked));
            let step = schedule.next_step(&claimed(EventKind::SyncRequested, 0), &busy, random);
            let NextStep::RetryAt(at) = step else { panic!("{step:?}") };
            let least = Duration::from_secs(asked).min(MAX_RETRY_AFTER);
            prop_assert!(at >= busy.ended_at().plus(least));
            prop_assert!(at <= busy.ended_at().plus(MAX_RETRY_AFTER));
        }
    }
}
