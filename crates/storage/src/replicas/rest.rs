//! A short time in which something that has just failed is not tried again.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long it is.
const REST: Duration = Duration::from_millis(250);

/// Not resting at first.
#[derive(Default)]
pub(super) struct Rest(Mutex<Option<Instant>>);

impl Rest {
    pub(super) fn begin(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + REST);
    }

    pub(super) fn is_resting(&self) -> bool {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }
}
