//! The place where a unit of work stores its value.
//!
//! The code that runs units does not depend on the types of their values, so it is compiled once, and not once for each
//! of hundreds of units.

use std::sync::{Arc, Mutex, PoisonError};

use contact_hub_domain::ports::StoreError;

/// A place for one value, which a unit and its call share.
pub(crate) struct Value<T>(Arc<Mutex<Option<T>>>);

#[derive(Debug, thiserror::Error)]
#[error("a unit of work ended without a value")]
struct NoValue;

impl<T> Value<T> {
    /// Two ends of an empty place.
    pub(crate) fn new() -> (Self, Self) {
        let place = Arc::new(Mutex::new(None));
        (Self(Arc::clone(&place)), Self(place))
    }

    /// Stores a value, in place of that of an earlier attempt.
    pub(crate) fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// Takes the value of a unit that has succeeded.
    pub(crate) fn take(self) -> Result<T, StoreError> {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.ok_or_else(|| StoreError::Failed(Box::new(NoValue)))
    }
}
