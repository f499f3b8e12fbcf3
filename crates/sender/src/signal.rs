//! Signals between this process's tasks that there is work.

use contact_hub_domain::webhooks::DeliverySignal;
use tokio::sync::Notify;

/// Wakes the tasks of this process that make and send deliveries. A wake while they are running is kept, once.
#[derive(Debug, Default)]
pub struct WorkerSignal {
    due: Notify,
    /// Notified when there are settlements, which the worker finds when it reads the queue.
    pub(crate) unsettled: Notify,
    /// Notified when attempts were recorded, so that the next event of a follower may be due.
    pub(crate) recorded: Notify,
    written: Notify,
}

impl WorkerSignal {
    /// Signals that there may be new entries in the feed.
    pub fn note_write(&self) {
        self.written.notify_one();
    }

    /// Waits until there may be new entries in the feed since the previous call.
    pub(crate) async fn written(&self) {
        self.written.notified().await;
    }

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
