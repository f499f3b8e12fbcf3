//! From a call to a thread with a connection and back, with a deadline for every wait.
//!
//! A call waits for its permit and for an open connection up to the configured wait. From half of that on the
//! [watchdog](crate::watchdog) watches for it: when the database is silent or the connection is lost, the call fails, and
//! its thread is left behind with its connection. A statement that is merely slow may run up to the statement's limit, and
//! is then cancelled. The same holds for a unit whose client has gone, so that none keeps its permit for ever.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use contact_hub_domain::ports::StoreError;

use crate::connection::Connection;
use crate::connection_pool::{ConnectionPool, Ended};
use crate::interrupt::Canceller;
use crate::permits::{Crowded, Permit, Share};
use crate::task::Task;
use crate::watchdog::Watchdog;

/// How much later than the server's own limit a statement is cancelled, and then its thread is left behind.
const GRACE: Duration = Duration::from_millis(500);

/// What bounds a call.
pub(crate) struct Dispatch {
    pub(crate) runtime: Handle,
    pub(crate) watchdog: Arc<Watchdog>,
    pub(crate) canceller: Arc<Canceller>,
    /// How long a call waits for its permit, for a connection, or for a silent database.
    pub(crate) wait: Duration,
    /// How long a statement may run.
    pub(crate) statement: Duration,
}

/// Whether a unit goes on when nobody waits for it any longer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenLeft {
    Cancel,
    Finish,
}

/// Why a call no longer waits.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(crate) enum GivenUp {
    #[error("no connection was free in time")]
    Busy,
    #[error("the database does not answer")]
    Silent,
    #[error("the connection to the database is lost")]
    Lost,
    #[error("the statement took too long")]
    Slow,
    #[error(transparent)]
    Crowded(#[from] Crowded),
}

impl From<GivenUp> for StoreError {
    fn from(given_up: GivenUp) -> Self {
        Self::Unavailable(Box::new(given_up))
    }
}

impl Dispatch {
    /// Runs a unit on a pool.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        pool: &Arc<ConnectionPool>,
        share: Share,
        when_left: WhenLeft,
        unit: impl Fn(&mut Connection) -> Ended<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let began = Instant::now();
        let task = pool.task(self.permit(pool, share).await?);
        let limit = Instant::now() + self.statement + GRACE;
        let mut left =
            Left { dispatch: self, task: &task, began, limit, then: when_left, is_over: false };
        let thread = {
            let (pool, task) = (Arc::clone(pool), Arc::clone(&task));
            let until = self.open_until(began);
            let ending = task.ending();
            move || {
                let _ending = ending;
                pool.run(&task, until, &unit)
            }
        };
        let mut thread = self.runtime.spawn_blocking(thread);
        let outcome = match self.supervise(began, limit, || task.is_lost(), &mut thread).await {
            Err(GivenUp::Slow) => {
                self.canceller.cancel(&task);
                tokio::time::timeout(GRACE, &mut thread).await.map_err(|_elapsed| GivenUp::Slow)
            }
            outcome => outcome,
        };
        left.is_over = true;
        match outcome {
            Ok(joined) => joined.map_err(|panic| StoreError::Failed(Box::new(panic)))?,
            Err(given_up) => {
                task.abandon();
                Err(given_up.into())
            }
        }
    }

    /// A permit for a pool, within the wait.
    pub(crate) async fn permit(
        &self,
        pool: &ConnectionPool,
        share: Share,
    ) -> Result<Permit, GivenUp> {
        if self.watchdog.is_silent() {
            return Err(GivenUp::Silent);
        }
        if let Some(permit) = pool.permits.take_at_once(share) {
            return Ok(permit);
        }
        tokio::select! {
            permit = pool.permits.take(share) => Ok(permit?),
            () = self.watchdog.known_silence() => Err(GivenUp::Silent),
            () = tokio::time::sleep(self.wait) => Err(GivenUp::Busy),
        }
    }

    /// Until when a connection may be opened for a call that began then.
    pub(crate) fn open_until(&self, began: Instant) -> std::time::Instant {
        (began + self.wait).into_std()
    }

    /// When a statement of a batch has run for too long for a call that began then.
    pub(crate) fn limit_of_batch(&self, began: Instant) -> Instant {
        began + self.wait + self.statement + GRACE
    }

    /// The answer of a thread, until `limit`, to a call that began then, unless the database falls silent or the call's
    /// connection is lost.
    pub(crate) async fn supervise<F: Future + Unpin>(
        &self,
        began: Instant,
        limit: Instant,
        is_lost: impl Fn() -> bool,
        mut answer: F,
    ) -> Result<F::Output, GivenUp> {
        let unwatched = limit.min(began + self.wait / 2);
        if let Ok(answer) = tokio::time::timeout_at(unwatched, &mut answer).await {
            return Ok(answer);
        }
        let mut watch = self.watchdog.watch();
        tokio::select! {
            biased;
            answer = &mut answer => Ok(answer),
            given_up = watch.failure(is_lost) => Err(given_up),
            () = tokio::time::sleep_until(limit) => Err(GivenUp::Slow),
        }
    }
}

/// A call in progress. When it is dropped before it is over, its client has gone.
struct Left<'a> {
    dispatch: &'a Arc<Dispatch>,
    task: &'a Arc<Task>,
    began: Instant,
    limit: Instant,
    then: WhenLeft,
    is_over: bool,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        if self.then == WhenLeft::Cancel {
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
