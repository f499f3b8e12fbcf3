//! Ending a statement that is running in the database.
//!
//! On SQLite a flag suffices. On PostgreSQL another connection has to call `pg_cancel_backend`; the flag only keeps further
//! statements of the unit from starting. A connection for which a cancel was sent is not used again, so a late one ends
//! nobody else's statement, and the session is named by its start too, since process ids return.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;

use crate::connection::Connection;
use crate::opener::Opener;
use crate::statement::statement;
use crate::task::Task;

/// How often a cancel is sent to a unit that goes on: it has no effect between two statements.
const ATTEMPTS: u32 = 4;

/// How long a cancelled unit has until the next attempt.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(50);

/// Ends the statements of one connection.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
    backend: Option<Backend>,
}

/// A session of PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Backend {
    /// Its process.
    pub(crate) pid: i32,
    /// When it started, in the server's words.
    pub(crate) started: String,
}

impl Interrupt {
    pub(crate) const fn new(flag: Arc<AtomicBool>, backend: Option<Backend>) -> Self {
        Self { flag, backend }
    }

    /// Ends a statement of SQLite, and lets no further one start on either database. Returns the PostgreSQL session whose
    /// statement goes on.
    pub(crate) fn set(&self) -> Option<Backend> {
        self.flag.store(true, Ordering::Relaxed);
        self.backend.clone()
    }
}

/// Cancels statements of PostgreSQL on a connection of its own, one after the other.
pub(crate) struct Canceller {
    opener: Opener,
    runtime: Handle,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// At most one for each task in progress.
    queue: Vec<Arc<Task>>,
    is_working: bool,
    kept: Option<Connection>,
}

impl Canceller {
    pub(crate) fn new(opener: Opener, runtime: Handle) -> Arc<Self> {
        Arc::new(Self { opener, runtime, state: Mutex::default() })
    }

    /// Stops a task and ends its statement.
    pub(crate) fn cancel(self: &Arc<Self>, task: &Arc<Task>) {
        if task.stop().is_none() {
            return;
        }
        let starts = {
            let mut state = self.state();
            state.queue.push(Arc::clone(task));
            !std::mem::replace(&mut state.is_working, true)
        };
        if starts {
            let canceller = Arc::clone(self);
            self.runtime.spawn_blocking(move || canceller.work());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            let (mut tasks, mut connection) = {
                let mut state = self.state();
                if state.queue.is_empty() {
                    state.is_working = false;
                    return;
                }
                (std::mem::take(&mut state.queue), state.kept.take())
            };
            for attempt in 0..ATTEMPTS {
                if attempt > 0 {
                    std::thread::park_timeout(BETWEEN_ATTEMPTS);
                }
                // What has ended meanwhile has no session left.
                tasks.retain(|task| match task.stop() {
                    Some(backend) => {
                        self.send(&mut connection, &backend);
                        true
                    }
                    None => false,
                });
                if tasks.is_empty() {
                    break;
                }
            }
            self.state().kept = connection;
        }
    }

    fn send(&self, kept: &mut Option<Connection>, backend: &Backend) {
        let connection = match kept.take() {
            Some(connection) => Ok(connection),
            None => self.opener.open(),
        };
        let mut connection = match connection {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!(%error, "a statement was not cancelled");
                return;
            }
        };
        let cancel = statement(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity \
             WHERE pid = ? AND extract(epoch FROM backend_start)::text = ?",
        );
        match connection.execute(cancel.bind(backend.pid).bind(backend.started.as_str())) {
            Ok(_found) => *kept = Some(connection),
            Err(error) => tracing::warn!(%error, "a statement was not cancelled"),
        }
    }
}
