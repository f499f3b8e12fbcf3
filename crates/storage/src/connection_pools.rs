//! Which work uses which connections.
//!
//! Lists never delay what every call needs: keys are checked and readiness is answered on connections of their own, and so
//! is the work on deliveries. SQLite has one writer, so all that writes there shares one connection.

use std::sync::Arc;
use std::time::Duration;

use crate::connection_pool::{ConnectionPool, PoolOptions};
use crate::manager::Generation;
use crate::opener::Opener;

/// How many connections to PostgreSQL are kept for keys, sessions and readiness.
const CONTROL: u32 = 2;

/// How many connections to PostgreSQL are kept for the work on deliveries.
const DELIVERIES: u32 = 2;

/// Heavy work in progress is worth more than this only where there are processors for it.
const LEAST_HEAVY: u32 = 4;

/// How much heavy work may be in progress with this many connections. Three quarters of them, so that short work finds one,
/// and twice as much as there are processors, so that it finds one of these too. A single connection does for everything.
fn max_heavy(connections: u32) -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let processors = u32::try_from(processors).unwrap_or(u32::MAX);
    let by_connections = connections - connections.div_ceil(4);
    by_connections.min(processors.saturating_mul(2).max(LEAST_HEAVY)).max(1)
}

/// Every pool of a service; several may be the same.
pub(crate) struct ConnectionPools {
    /// What requests read.
    pub(crate) readers: Arc<ConnectionPool>,
    /// What requests write.
    pub(crate) writer: Arc<ConnectionPool>,
    /// What must not wait for requests: keys, sessions, readiness.
    pub(crate) control: Arc<ConnectionPool>,
    /// What the work on deliveries reads.
    pub(crate) delivery_reads: Arc<ConnectionPool>,
    /// What the work on deliveries writes.
    pub(crate) delivery_writes: Arc<ConnectionPool>,
    /// The generation of all their connections.
    pub(crate) generation: Generation,
}

impl ConnectionPools {
    /// Pools with this many connections for requests; on SQLite, this many readers.
    pub(crate) fn new(opener: &Opener, connections: u32, wait: Duration) -> Self {
        let generation = Generation::default();
        let pool = |name, size: u32, max_heavy, written| {
            let options = PoolOptions { name, size, max_heavy, written };
            ConnectionPool::new(options, opener.clone(), generation.clone(), wait)
        };
        let size = connections.max(1);
        let heavy = max_heavy(size);
        let requests = |name| pool(name, size, heavy, None);
        if let Some(file) = opener.file() {
            let writer = pool("writer", 1, 1, Some(file.clone()));
            return Self {
                readers: requests("shared"),
                writer: Arc::clone(&writer),
                control: pool("control", 1, 1, None),
                delivery_reads: pool("deliveries", 1, 1, None),
                delivery_writes: writer,
                generation,
            };
        }
        let shared = requests("shared");
        let deliveries = pool("deliveries", DELIVERIES, DELIVERIES, None);
        Self {
            readers: Arc::clone(&shared),
            writer: shared,
            control: pool("control", CONTROL, CONTROL, None),
            delivery_reads: Arc::clone(&deliveries),
            delivery_writes: deliveries,
            generation,
        }
    }
}
