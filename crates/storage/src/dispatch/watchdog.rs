//! Distinguishes a silent database from a slow statement.
//!
//! A unit that has waited for half of the configured wait starts a watch. While there are watches, a cheap
//! statement is sent periodically, on a new connection each time. If it is not answered, the database is silent: all
//! units are abandoned and new ones fail at once, until a probe is answered. An error is an answer too: the unit then
//! finds its own connection dead. When the database answers, the probe also looks for [lost
//! sessions](crate::connections::lost_sessions).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};

use crate::connections::bounded::BoundedRunner;
use crate::connections::lost_sessions::LostSessions;
use crate::connections::opener::Opener;
use crate::connections::server::Server;
use crate::dispatch_error::DispatchError;

/// The pause between two probes.
const BETWEEN_PROBES: Duration = Duration::from_millis(500);

/// The maximum number of threads that wait for an answer.
const MAX_PROBES: usize = 3;

/// Watches one database.
pub(crate) struct Watchdog {
    opener: Opener,
    lost: LostSessions,
    server: Server,
    threads: BoundedRunner,
    runtime: Handle,
    /// How long an answer to a probe may take.
    limit: Duration,
    silent: watch::Sender<bool>,
    answered: Notify,
    /// Incremented when lost sessions are found.
    losses: watch::Sender<u64>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many watches there are.
    watches: usize,
    is_watching: bool,
    /// How many threads wait for an answer.
    probes: usize,
}

/// Ends the watch when it is dropped.
pub(crate) struct Watch {
    watchdog: Arc<Watchdog>,
    silent: watch::Receiver<bool>,
    losses: watch::Receiver<u64>,
}

impl Watch {
    /// Waits until the database is silent, or the connection of the watched unit is lost.
    pub(crate) async fn failure(&mut self, is_lost: impl Fn() -> bool) -> DispatchError {
        // This watch keeps the watchdog alive, which owns both senders, so neither channel closes.
        let silence = async { drop(self.silent.wait_for(|silent| *silent).await) };
        let loss = async { drop(self.losses.wait_for(|_| is_lost()).await) };
        tokio::select! {
            () = silence => DispatchError::Silent,
            () = loss => DispatchError::Lost,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.watchdog.state().watches -= 1;
    }
}

impl Watchdog {
    /// Probes on connections of `opener`, which must open within a probe's limit.
    pub(crate) fn new(
        server: Server,
        opener: Opener,
        lost: LostSessions,
        runtime: Handle,
        limit: Duration,
    ) -> Arc<Self> {
        Arc::new(Self {
            opener,
            lost,
            server,
            threads: BoundedRunner::default(),
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

    /// Waits until the database is known to be silent, without starting a watch.
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
        let (silent, losses) = (self.silent.subscribe(), self.losses.subscribe());
        Watch { watchdog: Arc::clone(self), silent, losses }
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
                self.server.log_silence(silent);
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

    /// Starts a probe on a thread, unless too many threads already wait for an answer. Theirs counts as well.
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
            let probe = {
                let watchdog = Arc::clone(&watchdog);
                move || watchdog.probe()
            };
            if let Err(error) = watchdog.threads.run(watchdog.limit * 2, probe) {
                tracing::debug!(%error, "a probe of the database did not end");
            }
            watchdog.state().probes -= 1;
        });
    }

    fn probe(&self) {
        let began = Instant::now();
        // An opened connection is an answer.
        let connection = self.opener.open();
        if connection.is_ok() || began.elapsed() < self.limit {
            self.answered.notify_one();
        }
        let Ok(mut connection) = connection else { return };
        match self.lost.end(&mut connection) {
            Ok(0) => {}
            Ok(_found) => self.losses.send_modify(|losses| *losses += 1),
            Err(error) => tracing::warn!(%error, "lost sessions were not terminated"),
        }
    }
}
