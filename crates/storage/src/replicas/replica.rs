//! One read replica: its connections, and whether it is used.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use metrics::{counter, gauge};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use contact_hub_domain::ports::StoreError;

use super::position::Position;
use super::reads::{WAIT, count_read};
use super::rest::Rest;
use super::state::{self, Unfit};
use crate::connection::Connection;
use crate::connections::manager::Generation;
use crate::connections::opener::{Limits, Opener};
use crate::connections::pool::{ConnectionPool, PoolOptions, UnitOutcome};
use crate::connections::pools::max_heavy;
use crate::connections::server::Server;
use crate::connections::url::DatabaseUrl;
use crate::dispatch::{Dispatch, OnDisconnect};
use crate::dispatch_error::DispatchError;
use crate::failure::Failure;
use crate::permits::Share;
use crate::storage_options::StorageOptions;

/// The pauses between checks whether the log is replayed; after the last one the primary takes the call.
const CATCHES_UP_IN: [Duration; 4] = [
    Duration::from_millis(1),
    Duration::from_millis(2),
    Duration::from_millis(4),
    Duration::from_millis(8),
];

/// A read replica.
pub(super) struct Replica {
    pub(super) server: Server,
    /// Calls on it, which are given up soon, since the primary can take them.
    pub(super) dispatch: Arc<Dispatch>,
    pub(super) pool: Arc<ConnectionPool>,
    /// One that is further behind is left out.
    pub(super) max_lag: Duration,
    /// Wakes the monitor.
    pub(super) failed: Notify,
    generation: Generation,
    is_used: AtomicBool,
    /// The pause after it was behind a call.
    rest: Rest,
}

/// The outcome of a unit on a replica that did not fail.
enum Tried<T> {
    Answered(T),
    /// It has not replayed the log in time.
    Behind,
    Unfit(Unfit),
}

impl Replica {
    pub(super) fn new(
        server: Server,
        url: &DatabaseUrl,
        options: &StorageOptions,
        statements: &Arc<AtomicU64>,
        runtime: Handle,
    ) -> Self {
        let wait = options.wait.min(WAIT);
        let limits = Limits { statement: options.statement, wait };
        let opener = Opener::new(url.clone(), limits, Arc::clone(statements));
        let opener = opener.pooled(options.pooled);
        let generation = Generation::default();
        // Reads are heavy work; one more connection is for checks of the replica.
        let (name, heavy) = (server.name(), max_heavy(options.connections.max(1)));
        let pool = PoolOptions { name, size: heavy + 1, max_heavy: heavy, written: None };
        let dispatch = Dispatch::new(server, &opener, &generation, limits, runtime);
        gauge!("contact_hub_db_replica_used", "server" => server.name()).set(0);
        Self {
            server,
            dispatch: Arc::new(dispatch),
            pool: ConnectionPool::new(pool, opener, generation.clone(), wait),
            max_lag: options.replicas.lag,
            failed: Notify::new(),
            generation,
            is_used: AtomicBool::new(false),
            rest: Rest::default(),
        }
    }

    /// Whether reads may go there now.
    pub(super) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed) && !self.rest.is_resting()
    }

    pub(super) fn has_free(&self, share: Share) -> bool {
        self.pool.permits.has_free(share)
    }

    /// Drops its connections, so that new ones may lead to another server.
    pub(super) fn reconnect(&self) {
        self.generation.give_up_all();
    }

    /// Uses it, or leaves it out.
    pub(super) fn set_used(&self, is_used: bool) {
        self.is_used.store(is_used, Ordering::Relaxed);
        gauge!("contact_hub_db_replica_used", "server" => self.server.name())
            .set(f64::from(u8::from(is_used)));
    }

    /// Runs a unit there, once the log is replayed up to the primary's position. `Err` when the primary has to take
    /// the call.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        share: Share,
        position: Arc<Position>,
        run: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Option<StoreError>> {
        // A unit that fails there is not retried there, because the primary can take it.
        let unit = move |connection: &mut Connection| match attempt(connection, &position, &run) {
            Ok(tried) => UnitOutcome::Done(tried),
            Err(failure) => UnitOutcome::Failed(failure),
        };
        match self.dispatch.run(&self.pool, share, OnDisconnect::Cancel, unit).await {
            Ok(Tried::Answered(value)) => {
                count_read(self.server);
                Ok(value)
            }
            Ok(Tried::Behind) => {
                self.rest.begin();
                self.count_fallback("behind");
                Err(None)
            }
            Ok(Tried::Unfit(reason)) => {
                tracing::debug!(server = self.server.name(), %reason, "a replica cannot be used");
                self.fail();
                Err(None)
            }
            Err(error) if is_busy(&error) => {
                self.count_fallback("busy");
                Err(Some(error))
            }
            Err(error) => {
                tracing::debug!(server = self.server.name(), %error, "a replica failed");
                self.fail();
                Err(Some(error))
            }
        }
    }

    /// Leaves it out until the monitor has looked at it.
    fn fail(&self) {
        self.count_fallback("failed");
        self.set_used(false);
        self.failed.notify_one();
    }

    fn count_fallback(&self, reason: &'static str) {
        let server = self.server.name();
        counter!("contact_hub_db_replica_fallbacks_total", "server" => server, "reason" => reason)
            .increment(1);
    }
}

/// Runs the unit if the session that it runs in has replayed the log. Before the unit's snapshot: what is replayed
/// after that is not in it.
fn attempt<T>(
    connection: &mut Connection,
    position: &Position,
    run: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<Tried<T>, Failure> {
    let mut pauses = CATCHES_UP_IN.into_iter();
    loop {
        match state::read(connection)?.replayed(position) {
            Err(reason) => return Ok(Tried::Unfit(reason)),
            Ok(replayed) if replayed >= position.bytes => {
                return run(connection).map(Tried::Answered);
            }
            Ok(_behind) => match pauses.next() {
                Some(pause) => std::thread::park_timeout(pause),
                None => return Ok(Tried::Behind),
            },
        }
    }
}

/// Whether a call was given up although the replica works.
fn is_busy(error: &StoreError) -> bool {
    matches!(
        DispatchError::of(error),
        Some(DispatchError::Busy | DispatchError::Slow | DispatchError::QueueFull(_))
    )
}
