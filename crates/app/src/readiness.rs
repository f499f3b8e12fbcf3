//! Ready means: the database answers, its schema is current, and deliveries are worked on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use contact_hub_sender::Pulse;
use contact_hub_storage::Storage;
use contact_hub_web::Readiness;

/// Asks the storage, and feels the worker's pulse.
pub struct HubReadiness {
    storage: Storage,
    pulse: Arc<Pulse>,
    migrated: AtomicBool,
}

impl HubReadiness {
    /// Asks these; a schema once found current is not asked for again.
    #[must_use]
    pub const fn new(storage: Storage, pulse: Arc<Pulse>) -> Self {
        Self { storage, pulse, migrated: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Readiness for HubReadiness {
    async fn check(&self) -> Result<(), &'static str> {
        if !self.pulse.is_alive() {
            return Err("Deliveries stand still.");
        }
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
