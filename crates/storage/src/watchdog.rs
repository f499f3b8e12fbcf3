//! Tells a silent database from a slow statement.
//!
//! A unit that has waited for half of the configured wait asks for a watch. As long as somebody does, a connection is
//! opened again and again, since one that is kept could be lost itself. When that is not answered, the database is silent:
//! all units are abandoned and new ones are refused at once, until an answer comes. An error is an answer too: the unit
//! then finds its own connection dead.
//!
//! A connection can also be lost alone, as behind a router that has forgotten it. So when PostgreSQL answers, it is asked
//! about the sessions of the watched units. One that does nothing while its answer is awaited is lost: its unit is
//! abandoned, the session is ended so that it keeps no locks, and no connection that is open by then is used again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};

use crate::connection::Connection;
use crate::dispatch::GivenUp;
use crate::interrupt::Backend;
use crate::manager::Generation;
use crate::opener::Opener;
use crate::statement::{Statement, statement};
use crate::task::Task;

/// How long a watched database is left alone between two probes.
const BETWEEN_PROBES: Duration = Duration::from_millis(500);

/// The most threads that wait for an answer.
const MAX_PROBES: usize = 3;

/// Watches one database.
pub(crate) struct Watchdog {
    opener: Opener,
    generation: Generation,
    runtime: Handle,
    /// How long an answer to a probe may take.
    limit: Duration,
    silent: watch::Sender<bool>,
    answered: Notify,
    /// How often lost connections were found.
    losses: watch::Sender<u64>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What each watch is for.
    watches: HashMap<u64, Vec<Arc<Task>>>,
    /// How many watches have begun.
    begun: u64,
    is_watching: bool,
    /// How many threads wait for an answer.
    probes: usize,
}

/// Ends the watch when it is dropped.
pub(crate) struct Watch {
    watchdog: Arc<Watchdog>,
    number: u64,
    tasks: Vec<Arc<Task>>,
    silent: watch::Receiver<bool>,
    losses: watch::Receiver<u64>,
}

impl Watch {
    /// Returns when the database is silent, or the connection of a watched task is lost.
    pub(crate) async fn failure(&mut self) -> GivenUp {
        let Self { silent, losses, tasks, .. } = self;
        let silence = async { silent.wait_for(|silent| *silent).await.is_ok() };
        let loss =
            async { losses.wait_for(|_| tasks.iter().any(|task| task.is_lost())).await.is_ok() };
        tokio::select! {
            true = silence => GivenUp::Silent,
            true = loss => GivenUp::Lost,
            // The watchdog is kept by this watch.
            else => std::future::pending().await,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.watchdog.state().watches.remove(&self.number);
    }
}

impl Watchdog {
    /// Probes on connections of `opener`, which must not take longer to open than a probe may take.
    /// No connection of `generation` is used again once one of them is lost.
    pub(crate) fn new(
        opener: Opener,
        generation: Generation,
        runtime: Handle,
        limit: Duration,
    ) -> Arc<Self> {
        Arc::new(Self {
            opener,
            generation,
            runtime,
            limit,
            silent: watch::Sender::new(false),
            answered: Notify::new(),
            losses: watch::Sender::new(0),
            state: Mutex::default(),
        })
    }

    /// Whether the database is known to be silent.
    pub(crate) fn is_silent(&self) -> bool {
        *self.silent.borrow()
    }

    /// Returns when the database is known to be silent; asks for no watch.
    pub(crate) async fn known_silence(&self) {
        if self.silent.subscribe().wait_for(|silent| *silent).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Watches for these tasks until the result is dropped.
    pub(crate) fn watch(self: &Arc<Self>, tasks: Vec<Arc<Task>>) -> Watch {
        let losses = self.losses.subscribe();
        let (number, starts) = {
            let mut state = self.state();
            let number = state.begun;
            state.begun += 1;
            state.watches.insert(number, tasks.clone());
            (number, !std::mem::replace(&mut state.is_watching, true))
        };
        if starts {
            self.runtime.spawn(Arc::clone(self).run());
        }
        let silent = self.silent.subscribe();
        Watch { watchdog: Arc::clone(self), number, tasks, silent, losses }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>) {
        loop {
            let probed = Instant::now();
            self.start_probe();
            let answered = tokio::time::timeout(self.limit, self.answered.notified()).await;
            let silent = answered.is_err();
            if self.silent.send_replace(silent) != silent {
                if silent {
                    tracing::error!(
                        "the database does not answer; calls are refused until it does"
                    );
                } else {
                    tracing::info!("the database answers again");
                }
            }
            if !silent {
                if self.is_over() {
                    return;
                }
                tokio::time::sleep(BETWEEN_PROBES.saturating_sub(probed.elapsed())).await;
            }
        }
    }

    fn is_over(&self) -> bool {
        let mut state = self.state();
        state.is_watching = !state.watches.is_empty();
        !state.is_watching
    }

    /// Sends a probe on a thread, unless too many threads already wait for an answer: theirs counts as well.
    fn start_probe(self: &Arc<Self>) {
        {
            let mut state = self.state();
            if state.probes >= MAX_PROBES {
                return;
            }
            state.probes += 1;
        }
        let watchdog = Arc::clone(self);
        self.runtime.spawn_blocking(move || {
            let began = Instant::now();
            // A connection that could be opened has answered.
            let connection = watchdog.opener.open().ok();
            let in_time = began.elapsed() < watchdog.limit;
            if connection.is_some() || in_time {
                watchdog.answered.notify_one();
            }
            if let Some(mut connection) = connection {
                watchdog.look_for_losses(&mut connection);
            }
            watchdog.state().probes -= 1;
        });
    }

    /// Asks the server about the sessions of the watched tasks.
    fn look_for_losses(&self, connection: &mut Connection) {
        let mut tasks: Vec<_> = self.state().watches.values().flatten().cloned().collect();
        tasks.sort_unstable_by_key(Arc::as_ptr);
        tasks.dedup_by_key(|task| Arc::as_ptr(task));
        let mut found = false;
        for task in tasks {
            let Some((backend, number)) = task.awaited() else { continue };
            let Ok(sessions) = connection.execute(about(BUSY, &backend)) else { return };
            if !task.note(number, sessions > 0) {
                continue;
            }
            found = true;
            tracing::warn!(backend.pid, "a connection to the database is lost");
            if let Err(error) = connection.execute(about(END, &backend)) {
                tracing::warn!(%error, backend.pid, "a lost session was not ended");
            }
        }
        if found {
            self.generation.give_up_all();
            self.losses.send_modify(|losses| *losses += 1);
        }
    }
}

/// Finds a session unless it is gone or waits for its client.
const BUSY: &str = "SELECT pid FROM pg_stat_activity \
     WHERE pid = ? AND extract(epoch FROM backend_start)::text = ? \
     AND (state IS NULL OR state NOT LIKE 'idle%')";

/// Ends a session, and undoes what it has not committed.
const END: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE pid = ? AND extract(epoch FROM backend_start)::text = ?";

fn about(text: &'static str, backend: &Backend) -> Statement {
    statement(text).bind(backend.pid).bind(backend.started.as_str())
}
