//! Which work uses which connections.
//!
//! Lists must never delay what every call needs. So key checks and readiness use separate connections, and so do rate
//! limits and the delivery queue. SQLite has one writer, so all writes share one connection there.

use std::sync::Arc;
use std::time::Duration;

use super::file::DatabaseFile;
use super::manager::Generation;
use super::opener::Opener;
use super::pool::{ConnectionPool, PoolOptions};

/// Connections to PostgreSQL reserved for keys, sessions and readiness.
const CONTROL: u32 = 2;

/// Connections to PostgreSQL reserved for the delivery queue.
const DELIVERIES: u32 = 2;

/// Connections to PostgreSQL reserved for the rate limits that instances share.
const LIMITS: u32 = 2;

/// More concurrent heavy work than this is only worthwhile with more processors.
const MIN_HEAVY: u32 = 4;

/// How many permits heavy work may hold with this many connections: three quarters of them, so that short work finds
/// one, and at most two for each processor, so that short work finds processor time. A single connection serves
/// everything.
pub(crate) fn max_heavy(connections: u32) -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let processors = u32::try_from(processors).unwrap_or(u32::MAX);
    let by_connections = connections - connections.div_ceil(4);
    by_connections.min(processors.saturating_mul(2).max(MIN_HEAVY)).max(1)
}

/// All pools of a service; several may be the same pool.
pub(crate) struct ConnectionPools {
    /// Reads of requests.
    pub(crate) readers: Arc<ConnectionPool>,
    /// Writes of requests.
    pub(crate) writer: Arc<ConnectionPool>,
    /// Work that must not wait for requests: keys, sessions, readiness.
    pub(crate) control: Arc<ConnectionPool>,
    /// Positions in the log, for reads on replicas.
    pub(crate) positions: Arc<ConnectionPool>,
    /// Rate limits that instances share.
    pub(crate) limits: Arc<ConnectionPool>,
    /// Reads of the delivery queue.
    pub(crate) delivery_reads: Arc<ConnectionPool>,
    /// Writes of the delivery queue.
    pub(crate) delivery_writes: Arc<ConnectionPool>,
    /// The generation that all their connections share.
    pub(crate) generation: Generation,
}

impl ConnectionPools {
    /// Creates the pools with this many connections for requests (on SQLite: this many readers).
    pub(crate) fn new(
        opener: &Opener,
        connections: u32,
        wait: Duration,
        has_replicas: bool,
    ) -> Self {
        let generation = Generation::default();
        let pool = |name, size: u32, max_heavy, written: Option<DatabaseFile>| {
            let opener = if written.is_some() { opener.of_writer() } else { opener.clone() };
            let options = PoolOptions { name, size, max_heavy, written };
            ConnectionPool::new(options, opener, generation.clone(), wait)
        };
        let size = connections.max(1);
        let heavy = max_heavy(size);
        let requests = |name| pool(name, size, heavy, None);
        if let Some(file) = opener.file() {
            let writer = pool("writer", 1, 1, Some(file.clone()));
            let control = pool("control", 1, 1, None);
            return Self {
                readers: requests("shared"),
                writer: Arc::clone(&writer),
                limits: Arc::clone(&control),
                positions: Arc::clone(&control),
                control,
                delivery_reads: pool("deliveries", 1, 1, None),
                delivery_writes: writer,
                generation,
            };
        }
        let shared = requests("shared");
        let control = pool("control", CONTROL, CONTROL, None);
        let deliveries = pool("deliveries", DELIVERIES, DELIVERIES, None);
        Self {
            readers: Arc::clone(&shared),
            writer: shared,
            positions: if has_replicas {
                pool("positions", 1, 1, None)
            } else {
                Arc::clone(&control)
            },
            control,
            limits: pool("limits", LIMITS, LIMITS, None),
            delivery_reads: Arc::clone(&deliveries),
            delivery_writes: deliveries,
            generation,
        }
    }
}
