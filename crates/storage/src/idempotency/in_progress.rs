//! The calls with an idempotency key that this process executes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contact_hub_domain::idempotency::{IdempotencyKey, KeyedCall};
use contact_hub_domain::ids::UserId;

type Keys = HashSet<(UserId, IdempotencyKey)>;

/// The keys of the calls in progress.
#[derive(Clone, Default)]
pub(crate) struct CallsInProgress(Arc<Mutex<Keys>>);

/// The place of a call, until it is dropped.
pub(super) struct Place {
    calls: CallsInProgress,
    key: (UserId, IdempotencyKey),
}

impl CallsInProgress {
    /// Enters a call, unless one with its key is in progress.
    pub(super) fn enter(&self, call: &KeyedCall) -> Option<Place> {
        let key = (call.user, call.key.clone());
        self.keys().insert(key.clone()).then(|| Place { calls: self.clone(), key })
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.calls.keys().remove(&self.key);
    }
}
