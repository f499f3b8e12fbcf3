//! Starts a storage.

use tokio::runtime::Handle;

use crate::replicas::watch_replicas;
use crate::storage::Storage;
use crate::storage_options::StorageOptions;

impl Storage {
    /// Creates the storage; no connection is opened yet. Blocking work runs on the threads of `runtime`.
    #[must_use]
    pub fn new(options: &StorageOptions, runtime: Handle) -> Self {
        let storage = Self::idle(options, runtime);
        watch_replicas(&storage);
        storage
    }
}
