//! Opens the connections of a pool and decides how long they are reused.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use super::opener::{OpenError, Opener};
use crate::connection::Connection;

/// The minimum lifetime of a connection. A new one may reach another server behind the same address.
const MIN_LIFETIME: Duration = Duration::from_mins(25);

/// The lifetimes of connections that were opened together differ by up to this.
const LIFETIME_SPREAD: Duration = Duration::from_mins(10);

/// Opens the connections of a pool. When one is found dead, all that were opened before it are dropped at their next
/// check-out, without a round trip.
pub(crate) struct Manager {
    opener: Opener,
    generation: Generation,
    /// How many connections were opened.
    opened: AtomicU64,
}

impl Manager {
    pub(crate) const fn new(opener: Opener, generation: Generation) -> Self {
        Self { opener, generation, opened: AtomicU64::new(0) }
    }
}

/// Counts how often a connection was found dead.
#[derive(Clone, Default)]
pub(crate) struct Generation(Arc<AtomicU64>);

impl Generation {
    /// Drops this connection and all that were opened before it.
    pub(crate) fn give_up(&self, pooled: &Pooled) {
        self.0.fetch_max(pooled.generation + 1, Ordering::Relaxed);
    }

    /// Drops every connection that is open.
    pub(crate) fn give_up_all(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn current(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection with the data that decides whether it is reused.
pub(crate) struct Pooled {
    pub(crate) connection: Connection,
    pub(crate) interrupt: Interrupt,
    pub(crate) shortest_limit: Duration,
    /// Set when a cancel was sent for it.
    pub(crate) is_spent: bool,
    generation: u64,
    until: Instant,
}

/// Why a pooled connection is not reused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PooledError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the connection must be replaced")]
    Outdated,
}

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = PooledError;

    fn connect(&self) -> Result<Pooled, PooledError> {
        let generation = self.generation.current();
        let opened = self.opener.open_session()?;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Pooled {
            connection: opened.connection,
            interrupt: opened.interrupt,
            shortest_limit: opened.shortest_limit,
            is_spent: false,
            generation,
            until: Instant::now() + lifetime(number),
        })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), PooledError> {
        if self.has_broken(pooled) { Err(PooledError::Outdated) } else { Ok(()) }
    }

    /// After a panic the connection may be in the middle of a transaction; closing it rolls that back.
    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        pooled.is_spent
            || std::thread::panicking()
            || pooled.generation < self.generation.current()
            || pooled.until <= Instant::now()
            || pooled.connection.is_broken()
    }
}

/// Multiples of the golden ratio spread the lifetimes of successive connections evenly.
fn lifetime(number: u64) -> Duration {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = u32::try_from(number.wrapping_mul(GOLDEN) >> 32).unwrap_or(0);
    MIN_LIFETIME + LIFETIME_SPREAD.mul_f64(f64::from(spread) / f64::from(u32::MAX))
}

/// Creates a pool of this size. Connections are opened on demand, so an unreachable database is noticed when it is
/// needed.
pub(crate) fn pool(
    manager: Manager,
    size: u32,
    wait: Duration,
    idle: Option<Duration>,
) -> r2d2::Pool<Manager> {
    r2d2::Pool::builder()
        .max_size(size)
        .min_idle(Some(0))
        .idle_timeout(idle)
        .max_lifetime(None)
        .test_on_check_out(true)
        .connection_timeout(wait)
        .error_handler(Box::new(LogAtDebug))
        .build_unchecked(manager)
}

/// The request that needed the connection reports the error; the pool's own retries are logged at debug level.
#[derive(Debug)]
struct LogAtDebug;

impl r2d2::HandleError<PooledError> for LogAtDebug {
    fn handle_error(&self, error: PooledError) {
        tracing::debug!(%error, "a database connection was not opened");
    }
}
