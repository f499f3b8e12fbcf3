//! A pool of connections, and the turns at them.
//!
//! There are as many turns as connections; who waits for one holds no thread.

use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use contact_hub_domain::ports::StoreError;

use crate::connection::{Connection, Generation, Manager, Pooled, pool};
use crate::failure::Failure;

/// A pool with as many turns as connections.
pub(crate) struct Lane {
    name: &'static str,
    generation: Generation,
    pool: r2d2::Pool<Manager>,
    turns: Arc<Semaphore>,
    wait: Duration,
}

/// Whether the unit had begun when it failed; one that had not can be tried again.
pub(crate) enum Ended<T> {
    Done(T),
    NotBegun(Failure),
    Failed(Failure),
}

/// How a unit that only reads has ended. It wrote nothing, so a second try on another connection does no harm.
pub(crate) fn reading<T>(outcome: Result<T, Failure>) -> Ended<T> {
    match outcome {
        Ok(value) => Ended::Done(value),
        Err(failure) if failure.is_passing() => Ended::NotBegun(failure),
        Err(failure) => Ended::Failed(failure),
    }
}

/// The right to use a connection; counted in the pool's gauges while it is held.
pub(crate) struct Turn {
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
    pub(crate) fn new(name: &'static str, manager: Manager, size: u32, wait: Duration) -> Self {
        let turns = Arc::new(Semaphore::new(usize::try_from(size).unwrap_or(1)));
        gauge!("contact_hub_db_connections_max", "pool" => name).set(f64::from(size));
        let generation = manager.generation.clone();
        Self { name, generation, pool: pool(manager, size, wait), turns, wait }
    }

    pub(crate) async fn turn(&self) -> Result<Turn, StoreError> {
        let _waiting = Waiting::start(self.name);
        let turn = Arc::clone(&self.turns).acquire_owned();
        match tokio::time::timeout(self.wait, turn).await {
            Ok(Ok(permit)) => Ok(Turn::start(permit, self.name)),
            Ok(Err(closed)) => Err(StoreError::Failed(Box::new(closed))),
            Err(elapsed) => Err(StoreError::Unavailable(Box::new(elapsed))),
        }
    }

    /// A turn, unless all of them are taken.
    pub(crate) fn turn_at_once(&self) -> Option<Turn> {
        let permit = Arc::clone(&self.turns).try_acquire_owned().ok()?;
        Some(Turn::start(permit, self.name))
    }

    /// Runs a unit on a connection; once more on another when the first was dead before the unit had begun.
    pub(crate) fn run<T>(
        &self,
        unit: &impl Fn(&mut Connection) -> Ended<T>,
    ) -> Result<T, StoreError> {
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
