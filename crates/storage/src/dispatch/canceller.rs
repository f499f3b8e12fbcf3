//! Ends a statement that is running in the database.
//!
//! On SQLite a flag suffices. On PostgreSQL another connection calls `pg_cancel_backend`; the flag only keeps further
//! statements of the unit from starting. A connection for which a cancel was sent is not reused, so that a late
//! cancel cannot hit another unit's statement.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use diesel::result::QueryResult;
use tokio::runtime::Handle;

use crate::connection::Connection;
use crate::connections::bounded::{BoundedRunner, NotDone};
use crate::connections::opener::{OpenError, Opener};
use crate::connections::session::Backend;
use crate::statement::statement;
use crate::task::Task;

/// How often a cancel is sent to a unit that continues: between two statements it has no effect.
const ATTEMPTS: u32 = 4;

/// How long a cancelled unit has until the next attempt.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(50);

/// How long one cancel may take.
const CANCEL_WITHIN: Duration = Duration::from_secs(5);

/// Cancels statements of PostgreSQL on separate connections, one after the other.
pub(crate) struct Canceller {
    opener: Opener,
    runtime: Handle,
    threads: BoundedRunner,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// At most one entry for each task in progress.
    queue: Vec<Arc<Task>>,
    is_working: bool,
}

impl Canceller {
    pub(crate) fn new(opener: Opener, runtime: Handle) -> Arc<Self> {
        let threads = BoundedRunner::default();
        Arc::new(Self { opener, runtime, threads, state: Mutex::default() })
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
            let mut tasks = {
                let mut state = self.state();
                if state.queue.is_empty() {
                    state.is_working = false;
                    return;
                }
                std::mem::take(&mut state.queue)
            };
            let mut connection = None;
            for attempt in 0..ATTEMPTS {
                if attempt > 0 {
                    std::thread::park_timeout(BETWEEN_ATTEMPTS);
                }
                // A task that has ended in the meantime has no session left.
                tasks.retain(|task| match task.stop() {
                    Some(backend) => {
                        connection = self.send(connection.take(), backend);
                        true
                    }
                    None => false,
                });
                if tasks.is_empty() {
                    break;
                }
            }
        }
    }

    /// Cancels the statement of a session. Returns the connection for the next cancel.
    fn send(&self, kept: Option<Connection>, backend: Backend) -> Option<Connection> {
        let opener = self.opener.clone();
        let outcome = self.threads.run(CANCEL_WITHIN, move || {
            let mut connection = match kept {
                Some(connection) => connection,
                None => opener.open()?,
            };
            cancel(&mut connection, &backend)?;
            Ok::<_, CancelError>(connection)
        });
        match outcome.map_err(CancelError::from).flatten() {
            Ok(connection) => Some(connection),
            Err(error) => {
                tracing::warn!(%error, "a statement was not cancelled");
                None
            }
        }
    }
}

/// Why a statement was not cancelled.
#[derive(Debug, thiserror::Error)]
enum CancelError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Query(#[from] diesel::result::Error),
    #[error(transparent)]
    NotDone(#[from] NotDone),
}

fn cancel(connection: &mut Connection, backend: &Backend) -> QueryResult<usize> {
    let cancel = statement(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity \
         WHERE pid = ? AND extract(epoch FROM backend_start)::text = ?",
    );
    connection.execute(cancel.bind(backend.pid).bind(backend.started.as_str()))
}
