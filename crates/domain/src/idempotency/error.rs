//! Why a call with a key is rejected.

use crate::ports::StoreError;
use crate::webhooks::VaultError;

/// Why a call with a key is rejected.
#[derive(Debug, thiserror::Error)]
pub enum IdempotencyError {
    /// Another call with this key is in progress.
    #[error("a call with this key is in progress")]
    KeyInUse,
    /// The key was used for another request.
    #[error("the key was used for another request")]
    KeyReused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<VaultError> for IdempotencyError {
    fn from(error: VaultError) -> Self {
        Self::Store(StoreError::Failed(Box::new(error)))
    }
}
