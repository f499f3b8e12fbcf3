//! A long run and its result.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use contact_hub_storage::DatabaseContents;

/// How the caller of a long run observes and cancels it.
pub(crate) struct Run<'a> {
    /// Cancels the run when it is set.
    pub(crate) cancelled: &'a Arc<AtomicBool>,
    /// Is called with the state of the run.
    pub(crate) progress: &'a mut dyn FnMut(String),
}

/// What a backup contains, or a database after a restore.
pub(crate) struct Copied {
    /// The size of the file.
    pub(crate) bytes: u64,
    /// What it contains.
    pub(crate) contents: DatabaseContents,
}
