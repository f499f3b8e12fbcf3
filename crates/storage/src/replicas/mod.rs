//! Reads on read replicas of a PostgreSQL.
//!
//! A read goes to a replica only if it sees there everything that was committed before it began, by whichever
//! instance: the primary says its position in the write-ahead log, in one statement for all reads that wait, and the
//! replica's session has replayed the log up to it. So a client reads its own writes, and pages of one list may come
//! from several servers. Where a replica fails or is behind, the primary takes the call.
//!
//! [`position`] asks the primary, [`state`] compares a replica with it, [`replica`] reads, and [`monitor`] leaves
//! replicas out and uses them again.

mod lag;
mod monitor;
mod position;
mod replica;
mod rest;
mod state;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use metrics::counter;
use tokio::runtime::Handle;

use contact_hub_domain::ports::StoreError;

pub(crate) use self::position::{PositionReads, position_reads};
use self::replica::Replica;
use self::rest::Rest;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::permits::Share;
use crate::server::Server;
use crate::url::DatabaseUrl;
use crate::{Storage, StorageOptions};

/// The names of replicas in metrics and logs, in the order of their addresses.
const NAMES: [&str; MAX_REPLICAS] = [
    "replica_1",
    "replica_2",
    "replica_3",
    "replica_4",
    "replica_5",
    "replica_6",
    "replica_7",
    "replica_8",
];

/// The most read replicas of an instance.
pub const MAX_REPLICAS: usize = 8;

/// How long a call waits for the primary's position, a permit or a connection, before the primary takes it.
const WAIT: Duration = Duration::from_millis(500);

/// How an instance uses read replicas.
#[derive(Clone, Debug, Default)]
pub struct ReplicaOptions {
    /// Their addresses, at most [`MAX_REPLICAS`].
    pub urls: Vec<DatabaseUrl>,
    /// One that is further behind the primary is left out.
    pub lag: Duration,
}

/// The read replicas of an instance.
pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    /// After the primary did not say its position in time.
    rest: Rest,
    turn: AtomicUsize,
}

/// Counts a read that may go to any server.
pub(crate) fn count_read(server: Server) {
    counter!("contact_hub_db_reads_total", "server" => server.name()).increment(1);
}

impl Replicas {
    pub(crate) fn new(
        options: &StorageOptions,
        statements: &Arc<AtomicU64>,
        runtime: &Handle,
    ) -> Self {
        let urls = options.replicas.urls.iter().zip(NAMES);
        let all = urls.map(|(url, name)| {
            Arc::new(Replica::new(Server::Replica(name), url, options, statements, runtime.clone()))
        });
        Self { all: all.collect(), rest: Rest::default(), turn: AtomicUsize::new(0) }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Starts to watch the replicas, until the storage is dropped.
    pub(crate) fn watch(&self, storage: &Storage) {
        for replica in &self.all {
            let task = monitor::run(Arc::clone(replica), storage.downgrade());
            storage.dispatch().runtime.spawn(task);
        }
    }

    /// Reads on a replica. `Err` when the primary has to take the call, with the replica's error if it had one.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        storage: &Storage,
        share: Share,
        run: impl Fn(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Option<StoreError>> {
        if self.rest.is_resting() || !self.all.iter().any(|replica| replica.is_used()) {
            return Err(None);
        }
        let Ok(Ok(position)) = tokio::time::timeout(WAIT, storage.position()).await else {
            self.rest.begin();
            return Err(None);
        };
        match self.choose(share) {
            Some(replica) => replica.read(share, position, run).await,
            None => Err(None),
        }
    }

    /// A used replica, one with a free permit if there is one; they take turns.
    fn choose(&self, share: Share) -> Option<&Arc<Replica>> {
        let count = self.all.len();
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % count.max(1);
        let used = || {
            let in_turn = self.all.iter().cycle().skip(first).take(count);
            in_turn.filter(|replica| replica.is_used())
        };
        used().find(|replica| replica.has_free(share)).or_else(|| used().next())
    }
}
