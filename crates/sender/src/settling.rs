//! Runs settlements: rewrites the deliveries of webhooks that were switched off, deleted or recovered.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::webhooks::{DeliveryQueue, DeliverySignal};
use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::WorkerSignal;

/// The limits of one transaction, in rows and in time. On SQLite it blocks all other writes, so it is short.
const BATCH: u32 = 1000;
const BATCH_WITHIN: Duration = Duration::from_millis(10);

/// The pause after a batch is this many times as long as the batch, so that most of the database's time is left for
/// other work.
const REST: u32 = 3;

/// The shortest and the longest pause.
const MIN_REST: Duration = Duration::from_millis(5);
const LONGEST_REST: Duration = Duration::from_secs(1);

/// How often it runs without a signal, in case one was lost while the store was unavailable.
const EVERY: Duration = Duration::from_mins(1);

/// The running task. Dropping this ends it, which is safe at any moment.
#[derive(Debug)]
pub struct Settling(JoinHandle<()>);

impl Settling {
    /// Runs batches when the worker has found settlements.
    #[must_use]
    pub fn start(queue: Arc<dyn DeliveryQueue>, signal: Arc<WorkerSignal>) -> Self {
        let task = async move {
            loop {
                settle(queue.as_ref(), signal.as_ref()).await;
                tokio::select! {
                    () = signal.unsettled.notified() => {}
                    () = sleep(EVERY) => {}
                }
            }
        };
        Self(tokio::spawn(task.boxed()))
    }
}

impl Drop for Settling {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn settle(queue: &dyn DeliveryQueue, signal: &WorkerSignal) {
    loop {
        let started = Instant::now();
        match queue.settle(BATCH, BATCH_WITHIN).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::debug!(%error, "deliveries were not settled; the next run retries");
                return sleep(LONGEST_REST).await;
            }
        }
        // Recovered deliveries can be sent.
        signal.wake();
        let rest = started.elapsed().saturating_mul(REST);
        sleep(rest.clamp(MIN_REST, LONGEST_REST)).await;
    }
}
