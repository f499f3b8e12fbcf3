//! Rewrites what already counts: the deliveries of webhooks that were switched off, deleted or recovered.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::webhooks::{DeliveryQueue, DeliverySignal};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::WorkerSignal;

/// How many rows one transaction rewrites at most, and for how long. On SQLite nobody else writes meanwhile, so it is
/// short.
const BATCH: u32 = 1000;
const BATCH_WITHIN: Duration = Duration::from_millis(10);

/// After each batch it rests so many times as long as the batch took, so that others have most of the database.
const REST: u32 = 3;

/// The shortest and the longest rest.
const LEAST_REST: Duration = Duration::from_millis(5);
const LONGEST_REST: Duration = Duration::from_secs(1);

/// How often it looks when it is not told that there is something, in case it was told while the store was away.
const EVERY: Duration = Duration::from_mins(1);

/// The running task; it ends when this is dropped, which can be at any moment.
#[derive(Debug)]
pub struct Settling(JoinHandle<()>);

impl Settling {
    /// Rewrites whenever the worker has seen that there is something, a batch at a time.
    #[must_use]
    pub fn start(queue: Arc<dyn DeliveryQueue>, signal: Arc<WorkerSignal>) -> Self {
        Self(tokio::spawn(async move {
            loop {
                settle(queue.as_ref(), signal.as_ref()).await;
                tokio::select! {
                    () = signal.unsettled.notified() => {}
                    () = sleep(EVERY) => {}
                }
            }
        }))
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
                tracing::debug!(%error, "deliveries are settled later");
                return sleep(LONGEST_REST).await;
            }
        }
        // What was recovered can be sent.
        signal.wake();
        let rest = started.elapsed().saturating_mul(REST);
        sleep(rest.clamp(LEAST_REST, LONGEST_REST)).await;
    }
}
