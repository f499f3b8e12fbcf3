//! Signals between this process's tasks that there is work.

use contact_hub_domain::webhooks::DeliverySignal;
use tokio::sync::Notify;

/// Wakes the worker of this process. A wake while it is running is kept, once.
#[derive(Debug, Default)]
pub struct WorkerSignal {
    due: Notify,
    /// Notified when there are settlements, which the worker finds when it reads the queue.
    pub(crate) unsettled: Notify,
}

impl WorkerSignal {
    /// Waits until the worker was woken since the previous call.
    pub(crate) async fn woken(&self) {
        self.due.notified().await;
    }
}

impl DeliverySignal for WorkerSignal {
    fn wake(&self) {
        self.due.notify_one();
    }
}
