//! Work that takes much processor time: decoding and validating megabytes of JSON or CSV, converting documents. It runs on
//! its own threads, so that the threads that answer requests stay free for short ones. Where the system has priorities for
//! threads, these have a lower one: otherwise short requests would wait while every core does heavy work.

use std::future::Future;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tracing::Instrument as _;

use crate::error::{ApiError, Code};

/// The niceness of the threads for heavy work, from 0 to 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The threads for heavy work; they end when this is dropped.
pub struct HeavyThreads(Option<Runtime>);

/// A handle of those threads.
#[derive(Clone)]
pub struct Heavy(Handle);

impl HeavyThreads {
    /// Starts one thread for each core.
    ///
    /// # Errors
    ///
    /// Fails when the system cannot start threads.
    pub fn start() -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut threads = Builder::new_multi_thread();
        threads
            .worker_threads(cores)
            .thread_name("heavy")
            .on_thread_start(lower_priority)
            .enable_time();
        Ok(Self(Some(threads.build()?)))
    }

    /// A handle; `None` once they have ended.
    #[must_use]
    pub fn heavy(&self) -> Option<Heavy> {
        self.0.as_ref().map(|runtime| Heavy(runtime.handle().clone()))
    }
}

/// Lowers the priority of the calling thread.
#[cfg(target_os = "linux")]
fn lower_priority() {
    use rustix::{process, thread};

    if let Err(error) = process::setpriority_process(Some(thread::gettid()), NICENESS) {
        tracing::debug!(%error, "heavy work is as urgent as the rest");
    }
}

#[cfg(not(target_os = "linux"))]
const fn lower_priority() {}

impl Drop for HeavyThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A thread of one runtime must not wait for another runtime.
            runtime.shutdown_background();
        }
    }
}

impl Heavy {
    /// Runs the work on these threads, and cancels it when nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (done, outcome) = oneshot::channel();
        let work = async move {
            // Sending fails when nobody waits for it any more.
            done.send(work.await).ok();
        };
        let _given_up = GivenUp(self.spawn(work.boxed()));
        outcome.await.map_err(|_panicked| ApiError::from(Code::InternalError))?
    }

    /// The code that runs work does not depend on its type, so it is compiled once, and not once for each kind of work.
    fn spawn(&self, work: BoxFuture<'static, ()>) -> AbortHandle {
        self.0.spawn(contact_hub_traces::carried_by(work).in_current_span()).abort_handle()
    }
}

struct GivenUp(AbortHandle);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.abort();
    }
}
