//! The last uses of keys, to the minute. They are gathered in memory and recorded together, so that no request has to
//! write.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::AccessError;
use crate::context::AccessPorts;
use crate::ids::ApiKeyId;
use crate::time::Timestamp;

/// The uses that are not recorded yet, and the minutes already recorded.
#[derive(Debug, Default)]
pub struct KeyUses(Mutex<HashMap<ApiKeyId, LastUse>>);

#[derive(Clone, Copy, Debug)]
struct LastUse {
    at: Timestamp,
    recorded: bool,
}

impl KeyUses {
    /// Notes a use. Only the first in a minute counts.
    pub fn note(&self, key: ApiKeyId, at: Timestamp) {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = uses.get(&key).is_none_or(|last| last.at.minute() < at.minute());
        if fresh {
            uses.insert(key, LastUse { at, recorded: false });
        }
    }

    /// Returns the uses to record. Past minutes that were recorded are forgotten.
    fn take(&self, now: Timestamp) -> Vec<(ApiKeyId, Timestamp)> {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        uses.retain(|_, last| !last.recorded || last.at.minute() == now.minute());
        let open = uses.iter_mut().filter(|(_, last)| !last.recorded);
        open.map(|(key, last)| {
            last.recorded = true;
            (*key, last.at)
        })
        .collect()
    }

    fn put_back(&self, uses: &[(ApiKeyId, Timestamp)]) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, at) in uses {
            known
                .entry(*key)
                .and_modify(|last| last.recorded = false)
                .or_insert(LastUse { at: *at, recorded: false });
        }
    }
}

/// Records the uses noted since the last call. It is called about every second and once at shutdown.
pub async fn record_key_uses(ports: &AccessPorts) -> Result<(), AccessError> {
    let uses = ports.key_uses.take(ports.environment.clock.now());
    if uses.is_empty() {
        return Ok(());
    }
    let recorded = ports.access.record_use(uses.clone()).await;
    if recorded.is_err() {
        ports.key_uses.put_back(&uses);
    }
    Ok(recorded?)
}

#[cfg(test)]
mod tests {
    use super::KeyUses;
    use crate::ids::ApiKeyId;
    use crate::time::Timestamp;

    #[test]
    fn a_minute_is_recorded_once() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000).expect("in range");
        let key = ApiKeyId::parse("01931e3a-7c00-7000-8000-0000000000ab").expect("an id");
        let uses = KeyUses::default();
        uses.note(key, at(1));
        uses.note(key, at(2));
        assert_eq!(uses.take(at(3)), [(key, at(1))]);
        uses.note(key, at(4));
        assert_eq!(uses.take(at(5)), []);
        uses.note(key, at(61));
        let taken = uses.take(at(62));
        assert_eq!(taken, [(key, at(61))]);
        uses.put_back(&taken);
        assert_eq!(uses.take(at(63)), taken);
    }
}
