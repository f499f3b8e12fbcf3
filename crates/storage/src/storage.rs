//! The connections of one service, and how units of work run on them.
//!
//! A unit of work first waits, without a thread, for its permit: there are as many permits as connections. Only then
//! does it move to a blocking thread, where a connection is ready. A call that gets no permit within the configured
//! wait fails with `StoreError::Unavailable`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;

use crate::access::HolderCache;
use crate::connection::Connection;
use crate::connection_pool::{ConnectionPool, UnitOutcome, reading};
use crate::connection_pools::ConnectionPools;
use crate::contacts;
use crate::dialect::{begin_ordered_snapshot, begin_snapshot};
use crate::dispatch::{Dispatch, OnDisconnect};
use crate::failure::Failure;
use crate::fields::DirectoryCache;
use crate::interrupt::Canceller;
use crate::lost_sessions::LostSessions;
use crate::opener::{Limits, Opener};
use crate::permits::Share;
use crate::read_batcher::ReadBatcher;
use crate::reader::Reader;
use crate::transaction::{begin, transaction};
use crate::url::DatabaseUrl;
use crate::watchdog::Watchdog;

/// How often a transaction that another one overtook is tried.
const MAX_ATTEMPTS: u32 = 10;

/// How much longer than half of the wait a probe of the database may take, and its minimum.
const PROBE_MARGIN: Duration = Duration::from_millis(250);

/// How a service uses its database.
#[derive(Clone, Debug)]
pub struct StorageOptions {
    /// Where the data is.
    pub url: DatabaseUrl,
    /// How many connections requests may use; on SQLite, how many readers beside the one writer. A few more are
    /// reserved for work that must not wait for requests.
    pub connections: u32,
    /// How long a call waits for a connection, or for a silent database, before it fails.
    pub wait: Duration,
    /// How long a statement may run before it is cancelled.
    pub statement: Duration,
}

/// The store ports on one database. Clones share the connections.
#[derive(Clone)]
pub struct Storage(Arc<Shared>);

struct Shared {
    pools: ConnectionPools,
    dispatch: Arc<Dispatch>,
    opener: Opener,
    statements: Arc<AtomicU64>,
    holders: HolderCache,
    directories: DirectoryCache,
    contact_reads: Arc<ContactReads>,
}

/// Contacts by company and id.
type ContactReads = ReadBatcher<Reader, (CompanyId, ContactId), Contact>;

impl Storage {
    /// Creates the storage; no connection is opened yet. Blocking work runs on the threads of `runtime`.
    #[must_use]
    pub fn new(options: &StorageOptions, runtime: Handle) -> Self {
        let statements = Arc::new(AtomicU64::new(0));
        let (wait, statement) = (options.wait, options.statement);
        let opener =
            Opener::new(options.url.clone(), Limits { statement, wait }, Arc::clone(&statements));
        // Statements of probes and cancels are not counted.
        let aside = Opener::new(options.url.clone(), Limits { statement, wait }, Arc::default());
        let limit = wait / 2 + PROBE_MARGIN;
        let pools = ConnectionPools::new(&opener, options.connections, wait);
        let lost = LostSessions::new(opener.sessions().clone(), pools.generation.clone());
        let watchdog = Watchdog::new(aside.opening_within(limit), lost, runtime.clone(), limit);
        let canceller = Canceller::new(aside.opening_within(limit), runtime.clone());
        Self(Arc::new(Shared {
            pools,
            dispatch: Arc::new(Dispatch { runtime, watchdog, canceller, wait, statement }),
            opener,
            statements,
            holders: HolderCache::new(),
            directories: DirectoryCache::new(),
            contact_reads: Arc::new(ReadBatcher::new(|reader: &Reader, asked| {
                reader.read(|storage, connection| contacts::read(storage, connection, asked))
            })),
        }))
    }

    /// How many statements have been sent to the database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.0.statements.load(Ordering::Relaxed)
    }

    pub(crate) fn dispatch(&self) -> &Dispatch {
        &self.0.dispatch
    }

    pub(crate) fn pools(&self) -> &ConnectionPools {
        &self.0.pools
    }

    pub(crate) fn opener(&self) -> &Opener {
        &self.0.opener
    }

    pub(crate) fn holders(&self) -> &HolderCache {
        &self.0.holders
    }

    pub(crate) fn directories(&self) -> &DirectoryCache {
        &self.0.directories
    }

    /// Reads one contact, batched with concurrent reads.
    pub(crate) async fn contact(
        &self,
        company: CompanyId,
        id: ContactId,
    ) -> Result<Option<Contact>, StoreError> {
        let began = Instant::now();
        let (reads, dispatch) = (&self.0.contact_reads, &self.0.dispatch);
        let mut asked = reads.ask((company, id), |work| self.start_reading(began, work));
        let (limit, is_lost) = (dispatch.limit_of_batch(began), || reads.is_lost(asked.epoch));
        match dispatch.supervise(began, limit, is_lost, &mut asked.answer).await {
            Ok(answer) => answer.map_err(|gone| StoreError::Failed(Box::new(gone)))?,
            Err(error) => {
                reads.give_up(asked.epoch, error);
                Err(error.into())
            }
        }
    }

    /// Runs a unit that only reads. Each statement sees what is committed by then.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_on(&self.0.pools.readers, Share::COMMON, unit).await
    }

    /// Runs a unit that only reads and that lists must not delay.
    pub(crate) async fn read_control<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_on(&self.0.pools.control, Share::COMMON, unit).await
    }

    /// Runs a read of the delivery queue.
    pub(crate) async fn read_deliveries<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_on(&self.0.pools.delivery_reads, Share::COMMON, unit).await
    }

    /// Runs a unit that reads many rows of a company, within the company's share of the connections.
    pub(crate) async fn read_many<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_on(&self.0.pools.readers, Share::heavy(company), unit).await
    }

    /// Runs a unit that only reads, with all statements in one snapshot.
    pub(crate) async fn read_snapshot<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read(in_snapshot(begin_snapshot, unit)).await
    }

    /// Like [`Self::read_many`], with all statements in one snapshot.
    pub(crate) async fn list_of<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_many(company, in_snapshot(begin_snapshot, unit)).await
    }

    /// As [`Self::list_of`], for a list in the order of an index.
    pub(crate) async fn ordered_list_of<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_many(company, in_snapshot(begin_ordered_snapshot, unit)).await
    }

    /// Runs a unit that writes, in one transaction.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_on(&self.0.pools.writer, Share::COMMON, unit).await
    }

    /// Like [`Self::write`], for a company; permits go to companies in round-robin.
    pub(crate) async fn write_for<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_on(&self.0.pools.writer, Share::of(company), unit).await
    }

    /// Like [`Self::write`], for many rows of a company, within the company's share of the connections.
    pub(crate) async fn write_many<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_on(&self.0.pools.writer, Share::heavy(company), unit).await
    }

    /// Runs a write of the delivery queue, in one transaction.
    pub(crate) async fn write_deliveries<T: Send + 'static>(
        &self,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_on(&self.0.pools.delivery_writes, Share::COMMON, unit).await
    }

    async fn read_on<T: Send + 'static>(
        &self,
        pool: &Arc<ConnectionPool>,
        share: Share,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let unit = move |connection: &mut Connection| reading(unit(connection));
        self.0.dispatch.run(pool, share, OnDisconnect::Cancel, unit).await
    }

    async fn write_on<T: Send + 'static>(
        &self,
        pool: &Arc<ConnectionPool>,
        share: Share,
        unit: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let run = move |connection: &mut Connection| {
            let mut attempts = 1;
            loop {
                if let Err(failure) = begin(connection) {
                    return UnitOutcome::NotBegun(failure);
                }
                match transaction(connection, &unit) {
                    Ok(value) => return UnitOutcome::Done(value),
                    Err(Failure::Overtaken) if attempts < MAX_ATTEMPTS => attempts += 1,
                    Err(failure) => return UnitOutcome::Failed(failure),
                }
            }
        };
        self.0.dispatch.run(pool, share, OnDisconnect::Finish, run).await
    }

    /// Starts a batched read on a blocking thread: at once if a permit is free, else after waiting for one.
    fn start_reading(
        &self,
        began: Instant,
        work: impl FnOnce(Result<Reader, StoreError>) + Send + 'static,
    ) {
        let storage = self.clone();
        let runtime = self.0.dispatch.runtime.clone();
        let pool = &self.0.pools.readers;
        if !self.0.dispatch.watchdog.is_silent()
            && let Some(permit) = pool.permits.take_at_once(Share::COMMON)
        {
            runtime.spawn_blocking(move || work(Ok(Reader::new(storage, permit, began))));
            return;
        }
        runtime.spawn(async move {
            let permit = storage.0.dispatch.permit(&storage.0.pools.readers, Share::COMMON).await;
            let runtime = storage.0.dispatch.runtime.clone();
            runtime.spawn_blocking(move || {
                work(permit.map(|permit| Reader::new(storage, permit, began)).map_err(Into::into));
            });
        });
    }
}

/// Runs the unit in a transaction whose statements see one snapshot.
fn in_snapshot<T>(
    begin: fn(&Connection) -> &'static str,
    unit: impl Fn(&mut Connection) -> Result<T, Failure>,
) -> impl Fn(&mut Connection) -> Result<T, Failure> {
    move |connection| {
        connection.begin(begin(connection))?;
        transaction(connection, &unit)
    }
}
