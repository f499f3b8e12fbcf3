//! The connections of one service and the caches above them, which all store ports share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use tokio::runtime::Handle;
use tokio::sync::Notify;

use contact_hub_domain::contacts::BlockKey;

use crate::access::{HolderCache, KnownProviders};
use crate::backlog::Backlog;
use crate::changes::ChangeWatch;
use crate::connections::opener::{Limits, Opener};
use crate::connections::pools::ConnectionPools;
use crate::connections::server::Server;
use crate::contacts::{ContactReads, Creation, contact_reads};
use crate::dispatch::Dispatch;
use crate::fields::DirectoryCache;
use crate::idempotency::{CallsInProgress, RunningCall};
use crate::live_watch::LiveWatch;
use crate::log_upkeep;
use crate::replicas::{PositionReads, Replicas, position_reads};
use crate::storage_options::StorageOptions;
use crate::sync::Asked;
use crate::write_batches::WriteBatches;

/// The store ports on one database. Clones share the connections.
#[derive(Clone)]
pub struct Storage {
    shared: Arc<Shared>,
    /// The call with an idempotency key whose write this storage makes; `None` for all other work.
    call: Option<Arc<RunningCall>>,
}

/// A [`Storage`] that background work uses while somebody else holds it.
pub(crate) struct WeakStorage(Weak<Shared>);

impl WeakStorage {
    /// The storage, unless it was dropped.
    pub(crate) fn upgrade(&self) -> Option<Storage> {
        Some(Storage { shared: self.0.upgrade()?, call: None })
    }
}

struct Shared {
    pools: ConnectionPools,
    replicas: Replicas,
    dispatch: Arc<Dispatch>,
    opener: Opener,
    statements: Arc<AtomicU64>,
    holders: HolderCache,
    known_providers: KnownProviders,
    directories: DirectoryCache,
    contact_reads: Arc<ContactReads>,
    position_reads: Arc<PositionReads>,
    create_batches: WriteBatches<Creation>,
    request_batches: WriteBatches<Asked>,
    backlog: Backlog,
    change_watch: ChangeWatch,
    live_watch: LiveWatch,
    calls_in_progress: CallsInProgress,
    index_work: Notify,
    written: Notify,
    committed: Notify,
    has_erased: Arc<AtomicBool>,
    block_key: OnceLock<BlockKey>,
}

impl Storage {
    /// Creates the storage, without the work that it does in the background.
    pub(crate) fn idle(options: &StorageOptions, runtime: Handle) -> Self {
        let statements = Arc::new(AtomicU64::new(0));
        let (wait, statement) = (options.wait, options.statement);
        let limits = Limits { statement, wait };
        let opener = Opener::new(options.url.clone(), limits, Arc::clone(&statements));
        let opener = opener.pooled(options.pooled);
        // A process that ended right after an erasure has left it in the log.
        let has_entries = opener.file().is_some_and(log_upkeep::has_entries);
        let has_replicas = !options.replicas.urls.is_empty();
        let pools = ConnectionPools::new(&opener, options.connections, wait, has_replicas);
        let replicas = Replicas::new(options, &statements, &runtime);
        let dispatch = Dispatch::new(Server::Primary, &opener, &pools.generation, limits, runtime);
        let shared = Arc::new(Shared {
            pools,
            replicas,
            dispatch: Arc::new(dispatch),
            opener,
            statements,
            holders: HolderCache::new(),
            known_providers: KnownProviders::new(),
            directories: DirectoryCache::new(),
            contact_reads: Arc::new(contact_reads()),
            position_reads: Arc::new(position_reads()),
            create_batches: WriteBatches::default(),
            request_batches: WriteBatches::default(),
            backlog: Backlog::default(),
            change_watch: ChangeWatch::default(),
            live_watch: LiveWatch::default(),
            index_work: Notify::new(),
            written: Notify::new(),
            committed: Notify::new(),
            calls_in_progress: CallsInProgress::default(),
            has_erased: Arc::new(AtomicBool::new(has_entries)),
            block_key: OnceLock::new(),
        });
        Self { shared, call: None }
    }

    /// The same storage for background work that must not keep it.
    pub(crate) fn downgrade(&self) -> WeakStorage {
        WeakStorage(Arc::downgrade(&self.shared))
    }

    /// The read replicas, for reads that may go there.
    pub(crate) fn replicas(&self) -> Option<&Replicas> {
        // On a cluster they would read from the workers of the primary.
        let replicas = Some(&self.shared.replicas).filter(|it| !it.is_empty());
        replicas.filter(|_| self.call.is_none() && !self.opener().is_cluster())
    }

    pub(crate) fn position_reads(&self) -> &Arc<PositionReads> {
        &self.shared.position_reads
    }

    /// The same storage for the write of a call with an idempotency key.
    pub(crate) fn of_call(&self, call: Arc<RunningCall>) -> Self {
        Self { shared: Arc::clone(&self.shared), call: Some(call) }
    }

    /// The same storage for work that does not belong to the call.
    pub(crate) fn beside_calls(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), call: None }
    }

    /// The call with an idempotency key whose write this storage makes.
    pub(crate) const fn call(&self) -> Option<&Arc<RunningCall>> {
        self.call.as_ref()
    }

    /// Runs this as soon as the write that has just returned is committed: at once, or together with the answer of a
    /// call with an idempotency key.
    pub(crate) fn once_committed(&self, effect: impl FnOnce(&Self) + Send + 'static) {
        match &self.call {
            Some(call) => {
                let storage = self.beside_calls();
                call.once_committed(move || effect(&storage));
            }
            None => effect(self),
        }
    }

    /// How many statements have been sent to the database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.shared.statements.load(Ordering::Relaxed)
    }

    /// Waits until a client's write was committed since the previous call.
    pub async fn written(&self) {
        self.shared.written.notified().await;
    }

    /// Notes that a client's write was committed.
    pub(crate) fn note_write(&self) {
        self.shared.written.notify_one();
    }

    /// Waits until anything was committed since the previous call.
    pub(crate) async fn committed(&self) {
        self.shared.committed.notified().await;
    }

    /// Notes that something was committed.
    pub(crate) fn note_commit(&self) {
        self.shared.committed.notify_one();
    }

    pub(crate) fn dispatch(&self) -> &Arc<Dispatch> {
        &self.shared.dispatch
    }

    pub(crate) fn pools(&self) -> &ConnectionPools {
        &self.shared.pools
    }

    pub(crate) fn opener(&self) -> &Opener {
        &self.shared.opener
    }

    pub(crate) fn holders(&self) -> &HolderCache {
        &self.shared.holders
    }

    pub(crate) fn known_providers(&self) -> &KnownProviders {
        &self.shared.known_providers
    }

    pub(crate) fn directories(&self) -> &DirectoryCache {
        &self.shared.directories
    }

    pub(crate) fn backlog(&self) -> &Backlog {
        &self.shared.backlog
    }

    pub(crate) fn change_watch(&self) -> &ChangeWatch {
        &self.shared.change_watch
    }

    pub(crate) fn live_watch(&self) -> &LiveWatch {
        &self.shared.live_watch
    }

    /// Wakes the task that indexes values.
    pub(crate) fn index_work(&self) -> &Notify {
        &self.shared.index_work
    }

    /// Whether the write-ahead log of SQLite may contain something erased.
    pub(crate) fn has_erased(&self) -> &Arc<AtomicBool> {
        &self.shared.has_erased
    }

    pub(crate) fn contact_reads(&self) -> &Arc<ContactReads> {
        &self.shared.contact_reads
    }

    /// The key of the hashes of blocked emails, once a use case has needed it.
    pub(crate) fn known_block_key(&self) -> &OnceLock<BlockKey> {
        &self.shared.block_key
    }

    pub(crate) fn calls_in_progress(&self) -> &CallsInProgress {
        &self.shared.calls_in_progress
    }

    pub(crate) fn create_batches(&self) -> &WriteBatches<Creation> {
        &self.shared.create_batches
    }

    pub(crate) fn request_batches(&self) -> &WriteBatches<Asked> {
        &self.shared.request_batches
    }
}
