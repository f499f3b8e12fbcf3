//! Readiness: the database answers and accepts writes, its schema is current, and the delivery worker is running.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_sender::Heartbeat;
use contact_hub_storage::{DatabaseHealth, MigrationState, Storage};
use contact_hub_web::Readiness;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The database is checked at most once in this time, however often readiness is requested.
const REMEMBERED_FOR: Duration = Duration::from_secs(1);

/// Checks the storage and the worker's heartbeat.
pub struct HubReadiness {
    storage: Storage,
    heartbeat: Arc<Heartbeat>,
    /// Locked during a check, so that concurrent requests share its outcome.
    last: Mutex<Option<(Instant, Outcome)>>,
}

type Outcome = Result<(), &'static str>;

impl HubReadiness {
    /// Checks these.
    #[must_use]
    pub fn new(storage: Storage, heartbeat: Arc<Heartbeat>) -> Self {
        Self { storage, heartbeat, last: Mutex::default() }
    }

    async fn check_database(&self) -> Outcome {
        let mut last = self.last.lock().await;
        if let Some((at, outcome)) = *last
            && at.elapsed() < REMEMBERED_FOR
        {
            return outcome;
        }
        let outcome = self.ask_database().await;
        *last = Some((Instant::now(), outcome));
        outcome
    }

    async fn ask_database(&self) -> Outcome {
        // Every time: another instance may migrate the schema while this one runs.
        match self.storage.migration_state().await {
            Ok(MigrationState::Current) => {}
            Ok(MigrationState::TooNew(_)) => {
                return Err("The database's schema is newer than this program.");
            }
            Ok(_) => return Err("The database has pending migrations."),
            Err(_away) => return Err("The database does not answer."),
        }
        match self.storage.health().await {
            Ok(DatabaseHealth::Usable) => Ok(()),
            Ok(DatabaseHealth::ReadOnly) => Err("The database rejects writes."),
            Ok(DatabaseHealth::Moved) => Err("The database's file was moved or deleted."),
            Err(_away) => Err("The database does not answer."),
        }
    }
}

#[async_trait]
impl Readiness for HubReadiness {
    async fn check(&self) -> Outcome {
        if !self.heartbeat.is_alive() {
            return Err("The delivery worker is not running.");
        }
        self.check_database().await
    }
}
