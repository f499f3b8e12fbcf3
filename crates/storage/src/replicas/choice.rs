//! The read replicas of an instance, which take turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::runtime::Handle;

use contact_hub_domain::ports::StoreError;

use super::options::MAX_REPLICAS;
use super::reads::WAIT;
use super::replica::Replica;
use super::rest::Rest;
use crate::connection::Connection;
use crate::connections::server::Server;
use crate::failure::Failure;
use crate::permits::Share;
use crate::storage::Storage;
use crate::storage_options::StorageOptions;

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

/// The read replicas of an instance.
pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    /// The pause after the primary did not report its position in time.
    rest: Rest,
    turn: AtomicUsize,
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

    /// All of them.
    pub(super) fn every(&self) -> &[Arc<Replica>] {
        &self.all
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
