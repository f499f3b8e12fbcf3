//! How many calls are made with each key in a day. They are counted in memory, so that no call has to write.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::period::{Period, day};
use crate::context::{Context, OverviewPorts};
use crate::ids::{ApiKeyId, CompanyId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How many rows are recorded in one transaction.
const BATCH: usize = 500;

/// The calls with a key in one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyDay {
    /// The key.
    pub key: ApiKeyId,
    /// The beginning of the day, in UTC.
    pub day: Timestamp,
    /// How many there were, those over the rate limit included.
    pub calls: u64,
}

/// The calls with each key that are not recorded yet.
#[derive(Debug, Default)]
pub(super) struct KeyCalls(Mutex<HashMap<(CompanyId, ApiKeyId, Timestamp), u64>>);

impl KeyCalls {
    /// Counts calls with a key at a moment.
    pub(super) fn add(&self, company: CompanyId, key: ApiKeyId, at: Timestamp, calls: u64) {
        let mut counts = self.counts();
        let count = counts.entry((company, key, day(at))).or_default();
        *count = count.saturating_add(calls);
    }

    fn take(&self) -> Vec<(CompanyId, KeyDay)> {
        let taken = std::mem::take(&mut *self.counts());
        let row = |((company, key, day), calls)| (company, KeyDay { key, day, calls });
        taken.into_iter().map(row).collect()
    }

    fn put_back(&self, taken: &[(CompanyId, KeyDay)]) {
        for (company, KeyDay { key, day, calls }) in taken {
            self.add(*company, *key, *day, *calls);
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(CompanyId, ApiKeyId, Timestamp), u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records the calls with each key. Calls that could not be recorded are recorded the next time.
pub(super) async fn record(ports: &OverviewPorts, counts: &KeyCalls) -> Result<(), StoreError> {
    let mut taken = counts.take();
    // All instances lock keys in one order.
    taken.sort_unstable_by_key(|(company, it)| (*company, it.key, it.day));
    let mut rest = taken.as_slice();
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(rest.len().min(BATCH));
        if let Err(error) = ports.overview.record_key_days(batch.to_vec()).await {
            counts.put_back(rest);
            return Err(error);
        }
        rest = others;
    }
    Ok(())
}

/// The calls with some keys of the caller's company on each of the last 30 days, the oldest first. A key without calls is
/// missing.
pub async fn key_days(
    cx: &Context<'_, OverviewPorts>,
    keys: Vec<ApiKeyId>,
    now: Timestamp,
) -> Result<HashMap<ApiKeyId, Vec<u64>>, StoreError> {
    let days = Period::Month.starts(now);
    let first = days.first().copied().unwrap_or(now);
    let mut found: HashMap<ApiKeyId, Vec<u64>> = HashMap::new();
    for row in cx.ports.overview.key_days(cx.caller.company.id, keys, first).await? {
        let calls = found.entry(row.key).or_insert_with(|| vec![0; days.len()]);
        let place = Period::Month.place(&days, row.day);
        if let Some(count) = place.and_then(|place| calls.get_mut(place)) {
            *count = row.calls;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{KeyCalls, KeyDay};
    use crate::ids::{ApiKeyId, CompanyId};
    use crate::time::Timestamp;

    const DAY: i64 = 24 * 3600;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).expect("in range")
    }

    #[test]
    fn calls_are_taken_once_by_key_and_day() {
        let (company, key) = (CompanyId::new(Uuid::nil()), ApiKeyId::new(Uuid::nil()));
        let counts = KeyCalls::default();
        counts.add(company, key, at(1), 1);
        counts.add(company, key, at(DAY - 1), 1);
        counts.add(company, key, at(DAY), 1);
        let mut taken = counts.take();
        taken.sort_unstable_by_key(|(_, it)| it.day);
        let days = [(at(0), 2), (at(DAY), 1)];
        assert_eq!(taken, days.map(|(day, calls)| (company, KeyDay { key, day, calls })));
        assert_eq!(counts.take(), []);
        counts.put_back(&taken[..1]);
        counts.add(company, key, at(2), 1);
        assert_eq!(counts.take(), [(company, KeyDay { key, day: at(0), calls: 3 })]);
    }
}
