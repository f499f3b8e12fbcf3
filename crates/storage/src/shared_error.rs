//! One error for all callers of a batch.

use std::sync::Arc;

use contact_hub_domain::ports::StoreError;

/// A copy of the error for one of its callers.
pub(crate) fn shared(error: &Arc<StoreError>) -> StoreError {
    match &**error {
        StoreError::Unavailable(_) => StoreError::Unavailable(Box::new(Arc::clone(error))),
        StoreError::Corrupt(what) => StoreError::Corrupt(what.clone()),
        StoreError::Failed(_) => StoreError::Failed(Box::new(Arc::clone(error))),
    }
}
