//! The connections of one service and the threads on which they work.
//!
//! A unit of work first waits, without a thread, for its turn: there are as many turns as connections. Only then does it
//! hop to a blocking thread, where a connection is ready. Who gets no turn within the configured time is told that the
//! store is unavailable. SQLite has one writer, so writes there have a pool of one connection of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::gauge;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;

use crate::access::HolderCache;
use crate::connection::{Connection, DatabaseUrl, Generation, Manager, Pooled, pool};
use crate::contacts;
use crate::dialect::begin_snapshot;
use crate::failure::Failure;
use crate::fields::DirectoryCache;
use crate::together::Together;
use crate::transaction::{begin, transaction};

/// How often a transaction that was overtaken is tried.
const MAX_ATTEMPTS: u32 = 10;

/// How a service uses its database.
#[derive(Clone, Debug)]
pub struct StorageOptions {
    /// Where the data is.
    pub url: DatabaseUrl,
    /// How many connections may be open; on SQLite, how many readers beside the one writer.
    pub connections: u32,
    /// How long a request waits for a connection before it is told that the store is unavailable.
    pub wait: Duration,
}

/// The store ports on one database. Cloning shares the connections.
#[derive(Clone)]
pub struct Storage(Arc<Shared>);

struct Shared {
    readers: Lane,
    /// `None` when reads and writes share the connections.
    writer: Option<Lane>,
    statements: Arc<AtomicU64>,
    runtime: Handle,
    holders: HolderCache,
    directories: DirectoryCache,
    contact_reads: Arc<ContactReads>,
}

/// Contacts by company and id.
type ContactReads = Together<(CompanyId, ContactId), Contact>;

/// A pool with as many turns as connections.
struct Lane {
    name: &'static str,
    generation: Generation,
    pool: r2d2::Pool<Manager>,
    turns: Arc<Semaphore>,
    wait: Duration,
}

/// Whether the unit had begun when it failed; one that had not can be tried again.
enum Ended<T> {
    Done(T),
    NotBegun(Failure),
    Failed(Failure),
}

impl Storage {
    /// Binds the ports to a database; nothing is opened yet. Blocking work runs on the threads of `runtime`.
    #[must_use]
    pub fn new(options: &StorageOptions, runtime: Handle) -> Self {
        let statements = Arc::new(AtomicU64::new(0));
        let lane = |name, size| {
            let manager = Manager {
                url: options.url.clone(),
                statements: Arc::clone(&statements),
                generation: Generation::default(),
            };
            Lane::new(name, manager, size, options.wait)
        };
        let writer = match options.url {
            DatabaseUrl::Sqlite(_) => Some(lane("writer", 1)),
            DatabaseUrl::Postgres(_) => None,
        };
        let readers = lane("shared", options.connections.max(1));
        Self(Arc::new(Shared {
            readers,
            writer,
            statements,
            runtime,
            holders: HolderCache::new(),
            directories: DirectoryCache::new(),
            contact_reads: Arc::new(Together::new(contacts::read)),
        }))
    }

    /// How many statements have been sent to the database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.0.statements.load(Ordering::Relaxed)
    }

    /// Whether the database answers, for readiness.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(|connection| Ok(connection.batch("SELECT 1")?)).await
    }

    pub(crate) fn holders(&self) -> &HolderCache {
        &self.0.holders
    }

    pub(crate) fn directories(&self) -> &DirectoryCache {
        &self.0.directories
    }

    pub(crate) fn contact_reads(&self) -> &Arc<ContactReads> {
        &self.0.contact_reads
    }

    /// Runs a unit that only reads, each of its statements on what is committed by then.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.hop(false, move |connection: &mut Connection| reading(unit(connection))).await
    }

    /// Runs a unit that only reads, all of its statements on what was committed at one moment.
    pub(crate) async fn read_snapshot<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read(move |connection| {
            connection.batch(begin_snapshot(connection))?;
            transaction(connection, &unit)
        })
        .await
    }

    /// Runs a unit that writes, in one transaction.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let run = move |connection: &mut Connection| {
            let mut attempts = 1;
            loop {
                if let Err(failure) = begin(connection) {
                    return Ended::NotBegun(failure);
                }
                match transaction(connection, &unit) {
                    Ok(value) => return Ended::Done(value),
                    Err(Failure::Overtaken) if attempts < MAX_ATTEMPTS => attempts += 1,
                    Err(failure) => return Ended::Failed(failure),
                }
            }
        };
        self.hop(true, run).await
    }

    async fn hop<T: Send + 'static>(
        &self,
        writes: bool,
        run: impl Fn(&mut Connection) -> Ended<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let lane = self.lane(writes);
        let turn = lane.turn().await?;
        let shared = Arc::clone(&self.0);
        let work = move || {
            let storage = Self(shared);
            let ended = storage.lane(writes).run(&run);
            drop(turn);
            ended
        };
        let joined = self.0.runtime.spawn_blocking(work).await;
        joined.map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    /// Gives work that reads a connection's turn and a blocking thread, at once when there is a turn to be had.
    pub(crate) fn start_reading(
        &self,
        work: impl FnOnce(Result<Reader, StoreError>) + Send + 'static,
    ) {
        let storage = self.clone();
        if let Some(turn) = self.lane(false).turn_at_once() {
            self.0.runtime.spawn_blocking(move || work(Ok(Reader { storage, _turn: turn })));
            return;
        }
        self.0.runtime.spawn(async move {
            let turn = storage.lane(false).turn().await;
            let runtime = storage.0.runtime.clone();
            runtime.spawn_blocking(move || work(turn.map(|turn| Reader { storage, _turn: turn })));
        });
    }

    fn lane(&self, writes: bool) -> &Lane {
        self.0.writer.as_ref().filter(|_| writes).unwrap_or(&self.0.readers)
    }
}

/// The right to read on this thread, for as long as it is kept.
pub(crate) struct Reader {
    storage: Storage,
    _turn: Turn,
}

impl Reader {
    /// Runs a unit that only reads.
    pub(crate) fn read<T>(
        &self,
        unit: impl Fn(&Storage, &mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.storage.lane(false).run(&|connection| reading(unit(&self.storage, connection)))
    }
}

/// How a unit that only reads has ended. It wrote nothing, so a second try on another connection does no harm.
fn reading<T>(outcome: Result<T, Failure>) -> Ended<T> {
    match outcome {
        Ok(value) => Ended::Done(value),
        Err(failure) if failure.is_passing() => Ended::NotBegun(failure),
        Err(failure) => Ended::Failed(failure),
    }
}

/// The right to use a connection; counted in the pool's gauges while it is held.
struct Turn {
    _permit: OwnedSemaphorePermit,
    lane: &'static str,
}

impl Turn {
    fn start(permit: OwnedSemaphorePermit, lane: &'static str) -> Self {
        gauge!("contact_hub_db_connections_in_use", "pool" => lane).increment(1);
        Self { _permit: permit, lane }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        gauge!("contact_hub_db_connections_in_use", "pool" => self.lane).decrement(1);
    }
}

/// Counts a waiting request, also when it gives up or its client goes away.
struct Waiting(&'static str);

impl Waiting {
    fn start(lane: &'static str) -> Self {
        gauge!("contact_hub_db_requests_waiting", "pool" => lane).increment(1);
        Self(lane)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        gauge!("contact_hub_db_requests_waiting", "pool" => self.0).decrement(1);
    }
}

impl Lane {
    fn new(name: &'static str, manager: Manager, size: u32, wait: Duration) -> Self {
        let turns = Arc::new(Semaphore::new(usize::try_from(size).unwrap_or(1)));
        gauge!("contact_hub_db_connections_max", "pool" => name).set(f64::from(size));
        let generation = manager.generation.clone();
        Self { name, generation, pool: pool(manager, size, wait), turns, wait }
    }

    async fn turn(&self) -> Result<Turn, StoreError> {
        let _waiting = Waiting::start(self.name);
        let turn = Arc::clone(&self.turns).acquire_owned();
        match tokio::time::timeout(self.wait, turn).await {
            Ok(Ok(permit)) => Ok(Turn::start(permit, self.name)),
            Ok(Err(closed)) => Err(StoreError::Failed(Box::new(closed))),
            Err(elapsed) => Err(StoreError::Unavailable(Box::new(elapsed))),
        }
    }

    /// A turn, unless all of them are taken.
    fn turn_at_once(&self) -> Option<Turn> {
        let permit = Arc::clone(&self.turns).try_acquire_owned().ok()?;
        Some(Turn::start(permit, self.name))
    }

    /// Runs a unit on a connection; once more on another when the first was dead before the unit had begun.
    fn run<T>(&self, unit: &impl Fn(&mut Connection) -> Ended<T>) -> Result<T, StoreError> {
        let mut second_try = false;
        loop {
            let mut pooled =
                self.pool.get().map_err(|error| StoreError::Unavailable(Box::new(error)))?;
            let (failure, again) = match unit(&mut pooled.connection) {
                Ended::Done(value) => return Ok(value),
                Ended::NotBegun(failure) => (failure, !second_try),
                Ended::Failed(failure) => (failure, false),
            };
            let dead = self.drop_if_dead(&mut pooled);
            if !(dead && again) {
                return Err(refused(failure, dead));
            }
            second_try = true;
        }
    }

    fn drop_if_dead(&self, pooled: &mut Pooled) -> bool {
        let dead = !pooled.connection.is_alive();
        if dead {
            self.generation.give_up(pooled);
        }
        dead
    }
}

fn refused(failure: Failure, dead: bool) -> StoreError {
    if dead { StoreError::Unavailable(Box::new(failure)) } else { failure.into_store_error() }
}
