//! The signal that there is work.

use contact_hub_domain::webhooks::DeliverySignal;
use tokio::sync::Notify;

/// Wakes the worker of this process. A wake while it is awake is remembered once.
#[derive(Debug, Default)]
pub struct WorkerSignal(Notify);

impl WorkerSignal {
    /// Ends when someone has woken it since the last time.
    pub(crate) async fn woken(&self) {
        self.0.notified().await;
    }
}

impl DeliverySignal for WorkerSignal {
    fn wake(&self) {
        self.0.notify_one();
    }
}
