//! The connections of one service and the threads on which they work.
//!
//! A unit of work first waits, without a thread, for its turn: there are as many turns as connections. Only then does it
//! hop to a blocking thread, where a connection is ready. Who gets no turn within the configured time is told that the
//! store is unavailable. SQLite has one writer, so writes there have a pool of one connection of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;

use crate::access::HolderCache;
use crate::connection::{Connection, DatabaseUrl, Generation, Manager};
use crate::contacts;
use crate::dialect::begin_snapshot;
use crate::failure::Failure;
use crate::fields::DirectoryCache;
use crate::lane::{Ended, Lane, Turn, reading};
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
type ContactReads = Together<Reader, (CompanyId, ContactId), Contact>;

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
            contact_reads: Arc::new(Together::new(|reader: &Reader, asked| {
                reader.read(|storage, connection| contacts::read(storage, connection, asked))
            })),
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

    /// One contact, read together with others that are asked for at the same time.
    pub(crate) async fn contact(
        &self,
        company: CompanyId,
        id: ContactId,
    ) -> Result<Option<Contact>, StoreError> {
        self.0.contact_reads.ask((company, id), |work| self.start_reading(work)).await
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
    fn start_reading(&self, work: impl FnOnce(Result<Reader, StoreError>) + Send + 'static) {
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
struct Reader {
    storage: Storage,
    _turn: Turn,
}

impl Reader {
    /// Runs a unit that only reads.
    fn read<T>(
        &self,
        unit: impl Fn(&Storage, &mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.storage.lane(false).run(&|connection| reading(unit(&self.storage, connection)))
    }
}
