//! Tells a silent database from a slow statement.
//!
//! A unit that has waited for half of the configured wait asks for a watch. As long as somebody does, a statement that
//! costs nothing is sent again and again on a connection of its own. When it is not answered, the database is silent: all
//! units are abandoned and new ones are refused at once, until an answer comes. An error is an answer too: the unit then
//! finds its own connection dead.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};

use crate::connection::Connection;
use crate::opener::Opener;

/// How long a watched database is left alone between two probes.
const BETWEEN_PROBES: Duration = Duration::from_millis(250);

/// The most threads that wait for an answer.
const MAX_PROBES: usize = 3;

/// Watches one database.
pub(crate) struct Watchdog {
    opener: Opener,
    runtime: Handle,
    /// How long an answer to a probe may take.
    limit: Duration,
    silent: watch::Sender<bool>,
    answered: Notify,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many units ask for a watch.
    watches: usize,
    is_watching: bool,
    /// How many threads wait for an answer.
    probes: usize,
    kept: Option<Connection>,
}

/// Ends the watch when it is dropped.
pub(crate) struct Watch {
    watchdog: Arc<Watchdog>,
    silent: watch::Receiver<bool>,
}

impl Watch {
    /// Returns when the database is silent.
    pub(crate) async fn silence(&mut self) {
        if self.silent.wait_for(|silent| *silent).await.is_err() {
            // The watchdog is kept by this watch.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.watchdog.state().watches -= 1;
    }
}

impl Watchdog {
    /// Probes on connections of `opener`, which must not take longer to open than a probe may take.
    pub(crate) fn new(opener: Opener, runtime: Handle, limit: Duration) -> Arc<Self> {
        Arc::new(Self {
            opener,
            runtime,
            limit,
            silent: watch::Sender::new(false),
            answered: Notify::new(),
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

    /// Watches until the result is dropped.
    pub(crate) fn watch(self: &Arc<Self>) -> Watch {
        let starts = {
            let mut state = self.state();
            state.watches += 1;
            !std::mem::replace(&mut state.is_watching, true)
        };
        if starts {
            self.runtime.spawn(Arc::clone(self).run());
        }
        Watch { watchdog: Arc::clone(self), silent: self.silent.subscribe() }
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
        state.is_watching = state.watches > 0;
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
            let kept = watchdog.state().kept.take();
            let alive = kept.and_then(|mut kept| kept.is_alive().then_some(kept));
            // A connection that could be opened has answered.
            let connection = alive.or_else(|| watchdog.opener.open().ok());
            let in_time = began.elapsed() < watchdog.limit;
            let answered = connection.is_some() || in_time;
            {
                let mut state = watchdog.state();
                state.probes -= 1;
                state.kept = connection.or_else(|| state.kept.take());
            }
            if answered {
                watchdog.answered.notify_one();
            }
        });
    }
}
