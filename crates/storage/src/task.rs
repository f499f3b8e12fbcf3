//! A unit of work from the moment that it gets its permit until its thread is done.
//!
//! The future that waits for a unit and the thread that runs it share a task. The future may cancel the unit, which
//! ends its statement in the database, or abandon it, which releases its permit although its thread is still busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::{counter, gauge};
use tokio::sync::Notify;

use crate::connections::interrupt::Interrupt;
use crate::connections::session::Backend;
use crate::permits::Permit;

/// A unit of work in progress.
pub(crate) struct Task {
    abandoned: Abandoned,
    /// Notifies at most one listener.
    ended: Notify,
    state: Mutex<State>,
}

struct State {
    /// Released when the task ends or is abandoned.
    permit: Option<Permit>,
    /// The interrupt of the connection that the thread uses.
    running: Option<Interrupt>,
    is_stopped: bool,
    has_ended: bool,
    /// Counts this task as abandoned until its thread is done.
    place: Option<Place>,
}

/// The unit was cancelled or abandoned.
#[derive(Debug, thiserror::Error)]
#[error("the unit of work was stopped")]
pub(crate) struct Stopped;

impl Task {
    /// Creates a task of a pool; `abandoned` limits the number of the pool's abandoned tasks.
    pub(crate) fn new(permit: Permit, abandoned: &Abandoned) -> Arc<Self> {
        let state = State {
            permit: Some(permit),
            running: None,
            is_stopped: false,
            has_ended: false,
            place: None,
        };
        let (abandoned, ended) = (abandoned.clone(), Notify::new());
        Arc::new(Self { abandoned, ended, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the connection that the thread uses from now on; fails if the task was stopped.
    pub(crate) fn start(&self, interrupt: &Interrupt) -> Result<(), Stopped> {
        let mut state = self.state();
        if state.is_stopped {
            return Err(Stopped);
        }
        state.running = Some(interrupt.clone());
        Ok(())
    }

    /// Marks that the thread no longer uses its connection. Returns false when the task was stopped in the meantime,
    /// so that a cancel may still be on its way to the connection.
    pub(crate) fn pause(&self) -> bool {
        let mut state = self.state();
        state.running = None;
        !state.is_stopped
    }

    /// Keeps further statements from starting. Returns the PostgreSQL session whose statement is still to be
    /// cancelled.
    pub(crate) fn stop(&self) -> Option<Backend> {
        let mut state = self.state();
        if state.has_ended {
            return None;
        }
        if !state.is_stopped {
            state.is_stopped = true;
            counter!("contact_hub_db_units_cancelled_total").increment(1);
        }
        state.running.as_ref()?.set()
    }

    /// Whether its connection is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.state().running.as_ref().is_some_and(Interrupt::is_lost)
    }

    /// Waits until the thread has finished with the task. Only one call may wait.
    pub(crate) async fn ended(&self) {
        self.ended.notified().await;
    }

    /// Stops the task and releases its permit, unless too many threads have been abandoned already.
    pub(crate) fn abandon(&self) {
        self.stop();
        let permit = {
            let mut state = self.state();
            if state.has_ended || state.place.is_some() {
                return;
            }
            counter!("contact_hub_db_units_abandoned_total").increment(1);
            state.place = self.abandoned.place();
            if state.place.is_some() { state.permit.take() } else { None }
        };
        drop(permit);
    }

    /// Returns a guard that ends the task when it is dropped, also by a panic.
    pub(crate) fn ending(self: &Arc<Self>) -> Ending {
        Ending(Arc::clone(self))
    }
}

/// Held by the thread that runs a task.
pub(crate) struct Ending(Arc<Task>);

impl Drop for Ending {
    fn drop(&mut self) {
        let (permit, place) = {
            let mut state = self.0.state();
            state.has_ended = true;
            state.running = None;
            (state.permit.take(), state.place.take())
        };
        drop((permit, place));
        self.0.ended.notify_one();
    }
}

/// How many tasks of a pool are abandoned while their threads are still busy, and the maximum.
#[derive(Clone)]
pub(crate) struct Abandoned {
    pool: &'static str,
    count: Arc<AtomicUsize>,
    max: usize,
}

impl Abandoned {
    /// At most this many in a pool.
    pub(crate) fn at_most(max: usize, pool: &'static str) -> Self {
        Self { pool, count: Arc::default(), max }
    }

    fn place(&self) -> Option<Place> {
        let fits = |count: usize| (count < self.max).then_some(count + 1);
        self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        gauge!("contact_hub_db_connections_abandoned", "pool" => self.pool).increment(1);
        Some(Place(self.clone()))
    }
}

struct Place(Abandoned);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        gauge!("contact_hub_db_connections_abandoned", "pool" => self.0.pool).decrement(1);
    }
}
