//! The signal that there is work.

use contact_hub_domain::webhooks::DeliverySignal;
use tokio::sync::Notify;

/// Wakes the worker of this process. A wake while it is awake is remembered once.
#[derive(Debug, Default)]
pub struct WorkerSignal {
    due: Notify,
    /// That there are rows to settle; the worker sees it when it looks at the queue.
    pub(crate) unsettled: Notify,
}

impl WorkerSignal {
    /// Ends when someone has woken it since the last time.
    pub(crate) async fn woken(&self) {
        self.due.notified().await;
    }
}

impl DeliverySignal for WorkerSignal {
    fn wake(&self) {
        self.due.notify_one();
    }
}
