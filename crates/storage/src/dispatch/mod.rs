//! Runs calls on pool threads, with a deadline for every wait.
//!
//! A call waits for its permit and for an open connection up to the configured wait. From half of that on, the
//! [watchdog] watches: when the database is silent or the connection is lost, the call fails, and
//! its thread is abandoned with its connection. A slow statement may run up to the statement limit, and is then
//! cancelled. A unit whose client disconnected is cancelled too, so that no unit keeps its permit forever.

mod canceller;
pub(crate) mod value;
mod watchdog;

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::carried;

use self::canceller::Canceller;
use self::value::Value;
use self::watchdog::Watchdog;
use crate::connection::Connection;
use crate::connections::lost_sessions::LostSessions;
use crate::connections::manager::Generation;
use crate::connections::opener::{Limits, Opener};
use crate::connections::pool::{ConnectionPool, UnitOutcome};
use crate::connections::server::Server;
use crate::dispatch_error::DispatchError;
use crate::permits::{Permit, Share};
use crate::task::Task;

/// How long after the server's own limit a statement is cancelled, and how long after that its thread is abandoned.
const GRACE: Duration = Duration::from_millis(500);

/// How much longer than half of the wait a probe of the database may take, and its minimum.
const PROBE_MARGIN: Duration = Duration::from_millis(250);

/// The deadlines of calls on one server.
pub(crate) struct Dispatch {
    pub(crate) runtime: Handle,
    pub(crate) watchdog: Arc<Watchdog>,
    pub(crate) canceller: Arc<Canceller>,
    /// How long a call waits for its permit, for a connection, or for a silent database.
    pub(crate) wait: Duration,
    /// How long a statement may run.
    pub(crate) statement: Duration,
}

/// A unit that leaves its value elsewhere.
type Unit = Box<dyn Fn(&mut Connection) -> UnitOutcome<()> + Send>;

/// Whether a unit is cancelled when its client disconnects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDisconnect {
    Cancel,
    Finish,
}

impl Dispatch {
    /// Deadlines of calls on the connections of an opener, which share a generation.
    pub(crate) fn new(
        server: Server,
        opener: &Opener,
        generation: &Generation,
        limits: Limits,
        runtime: Handle,
    ) -> Self {
        let Limits { statement, wait } = limits;
        let limit = wait / 2 + PROBE_MARGIN;
        let lost = LostSessions::new(opener.sessions().clone(), generation.clone());
        let aside = || opener.uncounted().opening_within(limit);
        let watchdog = Watchdog::new(server, aside(), lost, runtime.clone(), limit);
        let canceller = Canceller::new(aside(), runtime.clone());
        Self { runtime, watchdog, canceller, wait, statement }
    }

    /// Runs a unit on a pool.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        pool: &Arc<ConnectionPool>,
        share: Share,
        on_disconnect: OnDisconnect,
        unit: impl Fn(&mut Connection) -> UnitOutcome<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run_until(self.deadline(), pool, share, on_disconnect, unit).await
    }

    /// The moment by which a call that begins now has ended.
    pub(crate) fn deadline(&self) -> Instant {
        self.limit_of_batch(Instant::now())
    }

    /// Runs a unit on a pool, for a call that must have ended by `end`.
    pub(crate) async fn run_until<T: Send + 'static>(
        self: &Arc<Self>,
        end: Instant,
        pool: &Arc<ConnectionPool>,
        share: Share,
        on_disconnect: OnDisconnect,
        unit: impl Fn(&mut Connection) -> UnitOutcome<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (left, value) = Value::new();
        let unit: Unit = Box::new(move |connection| unit(connection).map(|value| left.put(value)));
        let span = contact_hub_traces::unit(pool.permits.pool());
        span.around(self.run_within(end, pool, share, on_disconnect, unit)).await?;
        value.take()
    }

    async fn run_within(
        self: &Arc<Self>,
        end: Instant,
        pool: &Arc<ConnectionPool>,
        share: Share,
        on_disconnect: OnDisconnect,
        unit: Unit,
    ) -> Result<(), StoreError> {
        let began = Instant::now();
        let task = pool.task(self.permit_by(end, pool, share).await?);
        let limit = end.min(Instant::now() + self.statement + GRACE);
        let mut call = RunningCall {
            dispatch: self,
            task: &task,
            began,
            limit,
            on_disconnect,
            is_over: false,
        };
        let thread = {
            let (pool, task) = (Arc::clone(pool), Arc::clone(&task));
            let until = self.open_until(began);
            let ending = task.ending();
            move || {
                let _ending = ending;
                pool.run(&task, until, &unit)
            }
        };
        let mut thread = self.runtime.spawn_blocking(carried(thread));
        let outcome = match self.supervise(began, limit, || task.is_lost(), &mut thread).await {
            Err(DispatchError::Slow) => {
                self.canceller.cancel(&task);
                tokio::time::timeout(GRACE, &mut thread)
                    .await
                    .map_err(|_elapsed| DispatchError::Slow)
            }
            outcome => outcome,
        };
        call.is_over = true;
        match outcome {
            Ok(joined) => joined.map_err(|panic| StoreError::Failed(Box::new(panic)))?,
            Err(error) => {
                task.abandon();
                Err(error.into())
            }
        }
    }

    /// Acquires a permit of a pool within the configured wait.
    pub(crate) async fn permit(
        &self,
        pool: &ConnectionPool,
        share: Share,
    ) -> Result<Permit, DispatchError> {
        self.permit_by(self.deadline(), pool, share).await
    }

    async fn permit_by(
        &self,
        end: Instant,
        pool: &ConnectionPool,
        share: Share,
    ) -> Result<Permit, DispatchError> {
        if self.watchdog.is_silent() {
            return Err(DispatchError::Silent);
        }
        if let Some(permit) = pool.permits.take_at_once(share) {
            return Ok(permit);
        }
        tokio::select! {
            permit = pool.permits.take(share) => Ok(permit?),
            () = self.watchdog.known_silence() => Err(DispatchError::Silent),
            () = tokio::time::sleep_until(end.min(Instant::now() + self.wait)) => Err(DispatchError::Busy),
        }
    }

    /// The deadline for opening a connection, for a call that began at `began`.
    pub(crate) fn open_until(&self, began: Instant) -> std::time::Instant {
        (began + self.wait).into_std()
    }

    /// The limit of a batch's statement, for a call that began at `began`.
    pub(crate) fn limit_of_batch(&self, began: Instant) -> Instant {
        began + self.wait + self.statement + GRACE
    }

    /// Waits until `limit` for the thread's answer. Fails early if the database falls silent or the call's connection
    /// is lost.
    pub(crate) async fn supervise<F: Future + Unpin>(
        &self,
        began: Instant,
        limit: Instant,
        is_lost: impl Fn() -> bool,
        mut answer: F,
    ) -> Result<F::Output, DispatchError> {
        let unwatched = limit.min(began + self.wait / 2);
        if let Ok(answer) = tokio::time::timeout_at(unwatched, &mut answer).await {
            return Ok(answer);
        }
        let mut watch = self.watchdog.watch();
        tokio::select! {
            biased;
            answer = &mut answer => Ok(answer),
            error = watch.failure(is_lost) => Err(error),
            () = tokio::time::sleep_until(limit) => Err(DispatchError::Slow),
        }
    }
}

/// A call in progress. It is dropped before its end when its client disconnects.
struct RunningCall<'a> {
    dispatch: &'a Arc<Dispatch>,
    task: &'a Arc<Task>,
    began: Instant,
    limit: Instant,
    on_disconnect: OnDisconnect,
    is_over: bool,
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        if self.on_disconnect == OnDisconnect::Cancel {
            self.dispatch.canceller.cancel(self.task);
        }
        let (dispatch, task) = (Arc::clone(self.dispatch), Arc::clone(self.task));
        let (began, limit) = (self.began, self.limit);
        self.dispatch.runtime.spawn(async move {
            let ended = std::pin::pin!(task.ended());
            if dispatch.supervise(began, limit, || task.is_lost(), ended).await.is_err() {
                task.abandon();
            }
        });
    }
}
