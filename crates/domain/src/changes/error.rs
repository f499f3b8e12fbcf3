//! The errors of the feed.

use crate::ports::StoreError;

/// Why entries are not returned.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// Entries after the cursor are no longer kept.
    #[error("the cursor has expired")]
    CursorExpired,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
