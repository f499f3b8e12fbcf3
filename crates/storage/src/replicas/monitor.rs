//! Checks a replica every second, and decides whether it is used.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use tokio::time::Instant;
use tracing::field::display;

use contact_hub_domain::ports::StoreError;

use super::choice::Replicas;
use super::lag::Lag;
use super::replica::Replica;
use super::state::{self, Unfit};
use crate::Storage;
use crate::connection::Connection;
use crate::connections::pool::reading;
use crate::dispatch::OnDisconnect;
use crate::permits::Share;
use crate::storage::WeakStorage;

/// The pause between two checks.
const EVERY: Duration = Duration::from_secs(1);

/// The shortest pause, after a call has failed there.
const AT_LEAST: Duration = Duration::from_millis(50);

/// Why a replica is left out, with the error that shows it.
struct LeftOut {
    reason: Unfit,
    error: Option<StoreError>,
}

impl From<Unfit> for LeftOut {
    fn from(reason: Unfit) -> Self {
        Self { reason, error: None }
    }
}

/// Starts to watch the replicas of a storage, until it is dropped.
pub(crate) fn watch_replicas(storage: &Storage) {
    let replicas = storage.replicas().into_iter().flat_map(Replicas::every);
    for replica in replicas {
        let task = run(Arc::clone(replica), storage.downgrade());
        storage.dispatch().runtime.spawn(task);
    }
}

/// Watches a replica until the storage is dropped.
async fn run(replica: Arc<Replica>, storage: WeakStorage) {
    let mut lag = Lag::default();
    let mut logged = None;
    while let Some(storage) = storage.upgrade() {
        let outcome = look(&replica, &storage, &mut lag).await;
        drop(storage);
        replica.set_used(outcome.is_ok());
        let reason = outcome.as_ref().err().map(|it| it.reason);
        if logged.replace(reason) != Some(reason) {
            log(&replica, outcome);
        }
        if reason.is_some_and(|reason| reason != Unfit::TooLate) {
            replica.reconnect();
        }
        tokio::time::sleep(AT_LEAST).await;
        // A call that fails there ends the pause early.
        tokio::time::timeout(EVERY, replica.failed.notified()).await.ok();
    }
}

/// Whether the replica can be used.
async fn look(replica: &Replica, storage: &Storage, lag: &mut Lag) -> Result<(), LeftOut> {
    let asked = Instant::now();
    let left_out = |reason| move |error| LeftOut { reason, error: Some(error) };
    let position = storage.position().await.map_err(left_out(Unfit::NoPosition))?;
    lag.remember(asked, position.bytes);
    let unit = |connection: &mut Connection| reading(state::read(connection));
    let state =
        replica.dispatch.run(&replica.pool, Share::COMMON, OnDisconnect::Cancel, unit).await;
    let replayed =
        state.map_err(left_out(Unfit::Away)).and_then(|state| Ok(state.replayed(&position)?));
    if let Ok(replayed) = replayed {
        lag.replay(replayed);
    }
    let behind = lag.at(Instant::now());
    if let Some(behind) = behind {
        gauge!("contact_hub_db_replica_lag_seconds", "server" => replica.server.name()).set(behind);
    }
    replayed?;
    match behind {
        Some(behind) if behind <= replica.max_lag => Ok(()),
        _ => Err(Unfit::TooLate.into()),
    }
}

fn log(replica: &Replica, outcome: Result<(), LeftOut>) {
    let server = replica.server.name();
    match outcome {
        Ok(()) => tracing::info!(server, "a read replica is used"),
        Err(LeftOut { reason, error }) => {
            let cause = error.as_ref().and_then(Error::source).map(display);
            tracing::warn!(server, %reason, cause, "a read replica is left out");
        }
    }
}
