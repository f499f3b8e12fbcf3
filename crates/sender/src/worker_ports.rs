//! What the worker needs, and how it works.

use std::sync::Arc;

use contact_hub_domain::ports::{Clock, Ids, Randomness};
use contact_hub_domain::webhooks::{DeliveryQueue, RetrySchedule, WebhookSender};

/// The ports of the worker.
#[derive(Clone)]
pub struct WorkerPorts {
    /// The delivery queue.
    pub queue: Arc<dyn DeliveryQueue>,
    /// Makes the attempts.
    pub sender: Arc<dyn WebhookSender>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Creates ids of leases and attempts.
    pub ids: Arc<dyn Ids>,
    /// Spreads retries.
    pub randomness: Arc<dyn Randomness>,
}

/// The options of the worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The maximum number of attempts at once, for all webhooks together.
    pub concurrency: u32,
    /// When failed deliveries are retried.
    pub schedule: RetrySchedule,
}
