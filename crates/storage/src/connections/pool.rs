//! A pool of connections, and the permits for them.
//!
//! There are as many permits as connections that may be in use; a call that waits for a permit holds no thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contact_hub_domain::ports::StoreError;

use super::file::DatabaseFile;
use super::manager::{Generation, Pooled};
use super::opener::Opener;
use super::places::Places;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::permits::{Permit, Permits};
use crate::task::{Abandoned, Stopped, Task};

/// A connection gets at least this long to open, however long the call waited for its permit.
const MIN_TIME_TO_OPEN: Duration = Duration::from_millis(100);

/// The minimum number of threads that a pool may abandon; a pool with more permits may abandon as many as it has
/// permits.
const MIN_ABANDONED: u32 = 32;

/// The size of a pool, and its use.
pub(crate) struct PoolOptions {
    /// The label of its metrics.
    pub(crate) name: &'static str,
    /// How many connections may be in use.
    pub(crate) size: u32,
    /// How many of them heavy work may use.
    pub(crate) max_heavy: u32,
    /// The SQLite file, if the pool writes to it.
    pub(crate) written: Option<DatabaseFile>,
}

/// A pool with one permit for each connection.
pub(crate) struct ConnectionPool {
    generation: Generation,
    places: Places,
    /// The permits for its connections.
    pub(crate) permits: Arc<Permits>,
    abandoned: Abandoned,
    written: Option<DatabaseFile>,
}

/// The outcome of a unit, and whether the unit had begun when it failed. One that had not begun can be retried.
pub(crate) enum UnitOutcome<T> {
    Done(T),
    NotBegun(Failure),
    Failed(Failure),
}

impl<T> UnitOutcome<T> {
    /// The outcome with another value.
    pub(crate) fn map<U>(self, with: impl FnOnce(T) -> U) -> UnitOutcome<U> {
        match self {
            Self::Done(value) => UnitOutcome::Done(with(value)),
            Self::NotBegun(failure) => UnitOutcome::NotBegun(failure),
            Self::Failed(failure) => UnitOutcome::Failed(failure),
        }
    }
}

/// The outcome of a unit that only reads. It wrote nothing, so it can safely be retried on another connection.
pub(crate) fn reading<T>(outcome: Result<T, Failure>) -> UnitOutcome<T> {
    match outcome {
        Ok(value) => UnitOutcome::Done(value),
        Err(failure) if failure.is_temporary() => UnitOutcome::NotBegun(failure),
        Err(failure) => UnitOutcome::Failed(failure),
    }
}

impl ConnectionPool {
    /// Creates a pool whose connections `opener` opens. Pools of one database share the generation: when one finds a
    /// dead connection, the others drop theirs too.
    pub(crate) fn new(
        options: PoolOptions,
        opener: Opener,
        generation: Generation,
        wait: Duration,
    ) -> Arc<Self> {
        let PoolOptions { name, size, max_heavy, written } = options;
        let permits = usize::try_from(size).unwrap_or(1);
        let abandoned = size.max(MIN_ABANDONED);
        Arc::new(Self {
            places: Places::new(opener, generation.clone(), size, abandoned, wait),
            generation,
            permits: Permits::new(name, permits, usize::try_from(max_heavy).unwrap_or(1)),
            abandoned: Abandoned::at_most(usize::try_from(abandoned).unwrap_or(permits), name),
            written,
        })
    }

    /// Creates a task of this pool.
    pub(crate) fn task(&self, permit: Permit) -> Arc<Task> {
        Task::new(permit, &self.abandoned)
    }

    /// Runs a unit on a connection, which must be open by `until`. Retries once on another connection if the first
    /// was dead before the unit had begun.
    pub(crate) fn run<T>(
        &self,
        task: &Task,
        until: Instant,
        unit: &impl Fn(&mut Connection) -> UnitOutcome<T>,
    ) -> Result<T, StoreError> {
        if let Some(file) = &self.written {
            file.check().map_err(unavailable)?;
        }
        let mut second_try = false;
        loop {
            let left = until.saturating_duration_since(Instant::now()).max(MIN_TIME_TO_OPEN);
            let mut pooled = self.places.connection(left).map_err(unavailable)?;
            task.start(&pooled.interrupt).map_err(unavailable)?;
            let start = Instant::now();
            let ended = unit(&mut pooled.connection);
            pooled.is_spent = !task.pause();
            let (failure, can_repeat) = match ended {
                UnitOutcome::Done(value) => return Ok(value),
                UnitOutcome::NotBegun(failure) => (failure, true),
                UnitOutcome::Failed(failure) => (failure, false),
            };
            if pooled.is_spent {
                return Err(unavailable(Stopped));
            }
            let replaced = self.replace_if_useless(&mut pooled, &failure);
            // A read-only session has written nothing.
            let again = (can_repeat || failure.is_read_only()) && !second_try;
            if !(replaced && again) {
                let by_limit = start.elapsed() >= pooled.shortest_limit;
                return Err(refused(failure, replaced || by_limit));
            }
            second_try = true;
        }
    }

    /// Drops a connection that is dead or read-only, and all that were opened before it.
    fn replace_if_useless(&self, pooled: &mut Pooled, failure: &Failure) -> bool {
        let useless = failure.is_read_only() || !pooled.connection.is_alive();
        if useless {
            self.generation.give_up(pooled);
        }
        useless
    }
}

/// An error of the driver without a known kind counts as temporary when it came so late that a time limit of the
/// server, or its deadlock detection, can have caused it. The server's message cannot be used, since it depends on
/// the server's language.
fn refused(failure: Failure, passes: bool) -> StoreError {
    if passes && failure.is_of_driver() { unavailable(failure) } else { failure.into_store_error() }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}
