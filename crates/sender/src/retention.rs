//! Deletes old closed deliveries in batches.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ports::Clock;
use contact_hub_domain::webhooks::DeliveryQueue;
use futures_util::FutureExt as _;
use tokio::task::JoinHandle;

/// The interval between runs.
const EVERY: Duration = Duration::from_mins(1);

/// How many deliveries one transaction deletes, so that transactions stay short.
const BATCH: u32 = 500;

/// The pause between two batches.
const REST: Duration = Duration::from_millis(100);

/// The running task. Dropping this ends it, which is safe at any moment.
#[derive(Debug)]
pub struct Retention(JoinHandle<()>);

impl Retention {
    /// Deletes, every minute, deliveries that were closed longer ago than `keep`.
    #[must_use]
    pub fn start(queue: Arc<dyn DeliveryQueue>, clock: Arc<dyn Clock>, keep: Duration) -> Self {
        let task = async move {
            let mut ticks = tokio::time::interval(EVERY);
            loop {
                ticks.tick().await;
                delete_old(queue.as_ref(), clock.as_ref(), keep).await;
            }
        };
        Self(tokio::spawn(task.boxed()))
    }
}

impl Drop for Retention {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn delete_old(queue: &dyn DeliveryQueue, clock: &dyn Clock, keep: Duration) {
    let mut deleted = 0;
    loop {
        match queue.purge(clock.now().minus(keep), BATCH).await {
            Ok(count) => {
                deleted += count;
                if count < u64::from(BATCH) {
                    break;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "old deliveries were not deleted; the next run retries");
                break;
            }
        }
        tokio::time::sleep(REST).await;
    }
    if deleted > 0 {
        tracing::info!(count = deleted, "old deliveries were deleted");
    }
}
