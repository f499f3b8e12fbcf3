//! Ready means: the database answers and its schema is current.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use contact_hub_storage::Storage;
use contact_hub_web::Readiness;

/// Asks the storage.
pub struct StorageReadiness {
    storage: Storage,
    migrated: AtomicBool,
}

impl StorageReadiness {
    /// Asks this storage; a schema once found current is not asked for again.
    #[must_use]
    pub const fn new(storage: Storage) -> Self {
        Self { storage, migrated: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Readiness for StorageReadiness {
    async fn check(&self) -> Result<(), &'static str> {
        if self.migrated.load(Ordering::Relaxed) {
            return self.storage.ping().await.map_err(|_away| "The database does not answer.");
        }
        match self.storage.is_migrated().await {
            Ok(true) => {
                self.migrated.store(true, Ordering::Relaxed);
                Ok(())
            }
            Ok(false) => Err("The database's migrations are not done."),
            Err(_away) => Err("The database does not answer."),
        }
    }
}
