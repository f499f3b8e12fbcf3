//! Recording ended attempts.

use std::time::Duration;

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Recorded;

use super::Work;
use crate::metrics;

/// How long recording an attempt is retried. Until then its record is valid, unless another instance has claimed the
/// delivery.
const RECORDED_WITHIN: Duration = Duration::from_mins(10);

/// After this many failed records of single attempts in a row the store counts as unavailable.
const UNAVAILABLE_AFTER: u32 = 3;

impl Work {
    /// Records ended attempts in one transaction. If that fails, one of them may be the cause, so each is then
    /// recorded separately.
    pub(super) async fn record(&mut self) {
        if self.running.ended.is_empty() {
            return;
        }
        if self.records_separately {
            return self.record_each().await;
        }
        match self.ports.queue.record(self.running.ended.clone()).await {
            Ok(notices) => {
                self.is_unavailable = false;
                self.running.ended.clear();
                self.signal.recorded.notify_one();
                notices.iter().for_each(metrics::note);
            }
            Err(StoreError::Unavailable(error)) => {
                self.records_separately = true;
                self.note_unavailable(&StoreError::Unavailable(error));
            }
            Err(_of_some) => self.record_each().await,
        }
    }

    /// Records each attempt separately, so that one that cannot be recorded does not block the others. It is retried
    /// after them, and dropped after a while; then the delivery is attempted again. After several failures in a row
    /// the store counts as unavailable, and the rest waits.
    async fn record_each(&mut self) {
        let (mut failed, mut in_a_row) = (Vec::new(), 0);
        let mut ended = std::mem::take(&mut self.running.ended).into_iter();
        while in_a_row < UNAVAILABLE_AFTER
            && let Some(recorded) = ended.next()
        {
            match self.ports.queue.record(vec![recorded.clone()]).await {
                Ok(notices) => {
                    in_a_row = 0;
                    self.signal.recorded.notify_one();
                    notices.iter().for_each(metrics::note);
                }
                Err(StoreError::Unavailable(error)) => {
                    in_a_row += 1;
                    self.note_unavailable(&StoreError::Unavailable(error));
                    failed.push(recorded);
                }
                Err(error) => {
                    let delivery = recorded.delivery_id;
                    tracing::error!(%delivery, ?error, "an attempt was not recorded and will be repeated");
                }
            }
        }
        let is_done = in_a_row == 0;
        let now = self.ports.clock.now();
        let is_held =
            |recorded: &Recorded| recorded.attempt.result.ended_at().plus(RECORDED_WITHIN) > now;
        self.running.ended = ended.chain(failed).filter(is_held).collect();
        self.records_separately = !self.running.ended.is_empty();
        self.is_unavailable = !is_done;
    }
}
