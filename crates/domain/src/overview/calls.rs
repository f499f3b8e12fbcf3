//! How many calls a company makes. They are counted in memory, so that no call has to write.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key_days::{self, KeyCalls};
use crate::access::RateLimitState;
use crate::context::OverviewPorts;
use crate::ids::{ApiKeyId, CompanyId, InstanceId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// An hour accepts calls that began in it for this long after its beginning.
const OPEN_SECONDS: i64 = 2 * 3600;

/// Hours that could not be recorded are dropped after this long, so that their number is limited.
const UNRECORDED_SECONDS: i64 = 24 * 3600;

/// The calls with the keys of a company in one hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourlyCalls {
    /// The beginning of the hour.
    pub hour: Timestamp,
    /// How many were within the rate limit.
    pub admitted: u64,
    /// How many were over it.
    pub refused: u64,
    /// The highest share of a limit that a user had used at once, in percent; 0 without a limit.
    pub peak: u32,
}

/// The calls that this instance counted. The total of an hour is recorded, not the increase, so that recording it twice
/// counts nothing twice.
#[derive(Debug)]
pub struct CallCounts {
    instance: InstanceId,
    counts: Mutex<HashMap<(CompanyId, Timestamp), Counted>>,
    keys: KeyCalls,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    calls: HourlyCalls,
    is_recorded: bool,
}

impl CallCounts {
    /// No calls yet. Each instance has an id of its own.
    #[must_use]
    pub fn new(instance: InstanceId) -> Self {
        Self { instance, counts: Mutex::default(), keys: KeyCalls::default() }
    }

    /// Counts a call with a key.
    pub(crate) fn note_key(&self, company: CompanyId, key: ApiKeyId, at: Timestamp) {
        self.keys.add(company, key, at, 1);
    }

    /// Counts a call with the state of its rate limit; `None` if it has none.
    pub(crate) fn note(
        &self,
        company: CompanyId,
        at: Timestamp,
        rate_limit: Option<&RateLimitState>,
    ) {
        let hour = at.hour_start();
        let mut counts = self.counts();
        let counted = counts.entry((company, hour)).or_insert_with(|| Counted {
            calls: HourlyCalls { hour, admitted: 0, refused: 0, peak: 0 },
            is_recorded: false,
        });
        counted.is_recorded = false;
        let calls = &mut counted.calls;
        if rate_limit.is_none_or(|limit| limit.is_admitted) {
            calls.admitted = calls.admitted.saturating_add(1);
        } else {
            calls.refused = calls.refused.saturating_add(1);
        }
        calls.peak = calls.peak.max(rate_limit.map_or(0, used));
    }

    /// The hours that changed since they were recorded.
    fn take(&self, now: Timestamp) -> Vec<(CompanyId, HourlyCalls)> {
        let mut counts = self.counts();
        counts.retain(|(_, hour), counted| {
            let kept = if counted.is_recorded { OPEN_SECONDS } else { UNRECORDED_SECONDS };
            now < hour.plus_seconds(kept)
        });
        let changed = counts.iter_mut().filter(|(_, counted)| !counted.is_recorded);
        let taken = changed.map(|((company, _), counted)| {
            counted.is_recorded = true;
            (*company, counted.calls)
        });
        taken.collect()
    }

    fn put_back(&self, taken: &[(CompanyId, HourlyCalls)]) {
        let mut counts = self.counts();
        for (company, calls) in taken {
            if let Some(counted) = counts.get_mut(&(*company, calls.hour)) {
                counted.is_recorded = false;
            }
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(CompanyId, Timestamp), Counted>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much of a limit is used, in percent.
fn used(limit: &RateLimitState) -> u32 {
    let used = u64::from(limit.quota.saturating_sub(limit.remaining));
    u32::try_from(used * 100 / u64::from(limit.quota.max(1))).unwrap_or(100)
}

/// Records the calls that were counted. It is called about every minute and once at shutdown.
pub async fn record_calls(ports: &OverviewPorts) -> Result<(), StoreError> {
    let hours = record_hours(ports).await;
    key_days::record(ports, &ports.calls.keys).await.and(hours)
}

async fn record_hours(ports: &OverviewPorts) -> Result<(), StoreError> {
    let taken = ports.calls.take(ports.environment.clock.now());
    if taken.is_empty() {
        return Ok(());
    }
    let recorded = ports.overview.record_calls(ports.calls.instance, taken.clone()).await;
    if recorded.is_err() {
        ports.calls.put_back(&taken);
    }
    recorded
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{CallCounts, HourlyCalls};
    use crate::access::RateLimitState;
    use crate::ids::{CompanyId, InstanceId};
    use crate::time::Timestamp;

    const HOUR: i64 = 3600;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).expect("in range")
    }

    fn state(is_admitted: bool, remaining: u32) -> RateLimitState {
        RateLimitState { is_admitted, quota: 200, remaining, reset_at: at(0), wait_seconds: 1 }
    }

    #[test]
    fn an_hour_is_recorded_as_a_sum() {
        let company = CompanyId::new(Uuid::nil());
        let counts = CallCounts::new(InstanceId::new(Uuid::nil()));
        counts.note(company, at(1), Some(&state(true, 150)));
        counts.note(company, at(2), Some(&state(false, 0)));
        counts.note(company, at(3), None);
        let hour = HourlyCalls { hour: at(0), admitted: 2, refused: 1, peak: 100 };
        assert_eq!(counts.take(at(60)), [(company, hour)]);
        assert_eq!(counts.take(at(61)), [], "nothing changed");
        counts.put_back(&[(company, hour)]);
        counts.note(company, at(62), Some(&state(true, 199)));
        let hour = HourlyCalls { admitted: 3, ..hour };
        assert_eq!(counts.take(at(63)), [(company, hour)]);
    }

    #[test]
    fn an_hour_that_cannot_be_recorded_is_given_up_after_a_day() {
        let company = CompanyId::new(Uuid::nil());
        let counts = CallCounts::new(InstanceId::new(Uuid::nil()));
        counts.note(company, at(1), None);
        let taken = counts.take(at(60));
        counts.put_back(&taken);
        assert_eq!(counts.take(at(24 * HOUR - 1)), taken);
        counts.put_back(&taken);
        assert_eq!(counts.take(at(24 * HOUR)), []);
    }

    #[test]
    fn an_hour_stays_open_for_calls_that_began_in_it() {
        let company = CompanyId::new(Uuid::nil());
        let counts = CallCounts::new(InstanceId::new(Uuid::nil()));
        counts.note(company, at(HOUR - 1), None);
        assert_eq!(counts.take(at(HOUR)).len(), 1);
        counts.note(company, at(HOUR - 1), None);
        let taken = counts.take(at(HOUR + 1));
        assert_eq!(taken.iter().map(|(_, calls)| calls.admitted).collect::<Vec<_>>(), [2]);
        assert!(counts.take(at(3 * HOUR)).is_empty());
        assert!(counts.counts().is_empty(), "it is forgotten once it is over");
    }
}
