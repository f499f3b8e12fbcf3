//! The place of a write in the queue of its company.

use std::time::Duration;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use tokio::sync::oneshot;

use super::{Reply, SharedWrite, WriteBatches};
use crate::Storage;
use crate::dispatch_error::DispatchError;

/// When a write has waited for this long, the batch before it probably waits for a lock, and another run starts.
const PATIENCE: Duration = Duration::from_millis(50);

/// A write in the queue. When it is dropped because the client disconnected, a write that no batch has taken is not
/// executed.
pub(super) struct Place<'a, W: SharedWrite> {
    pub(super) batches: &'a WriteBatches<W>,
    pub(super) storage: &'a Storage,
    pub(super) company: CompanyId,
    pub(super) id: u64,
    pub(super) answer: oneshot::Receiver<Reply<W::Outcome>>,
}

impl<W: SharedWrite> Place<'_, W> {
    /// Waits for the answer. Until a batch takes the write, that is at most as long as for a connection; from then on
    /// the deadlines of the batch apply.
    pub(super) async fn reply(&mut self) -> Reply<W::Outcome> {
        if let Some(reply) = self.reply_within(PATIENCE).await {
            return reply;
        }
        self.batches.start_another(self.storage, self.company);
        let rest = self.storage.dispatch().wait.saturating_sub(PATIENCE);
        if let Some(reply) = self.reply_within(rest).await {
            return reply;
        }
        if self.give_up() {
            return Reply::Failed(DispatchError::Busy.into());
        }
        (&mut self.answer).await.unwrap_or_else(failed)
    }

    async fn reply_within(&mut self, limit: Duration) -> Option<Reply<W::Outcome>> {
        let answer = tokio::time::timeout(limit, &mut self.answer).await;
        answer.ok().map(|reply| reply.unwrap_or_else(failed))
    }

    /// Leaves the queue; returns false if a batch has taken the write.
    fn give_up(&self) -> bool {
        let mut queues = self.batches.queues();
        queues.get_mut(&self.company).is_some_and(|queue| queue.forget(self.id))
    }
}

impl<W: SharedWrite> Drop for Place<'_, W> {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// The reply when the run has ended without an answer.
fn failed<T>(gone: oneshot::error::RecvError) -> Reply<T> {
    Reply::Failed(StoreError::Failed(Box::new(gone)))
}
