//! Corrects deliveries that were written while the clock was ahead of the current one.

use std::time::Duration;

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::DeliveryQueue;

/// A smaller step back is an adjustment of the clock, and is ignored.
const STEP: Duration = Duration::from_secs(1);

/// How many deliveries are corrected at once.
const BATCH: u32 = 1000;

/// Corrects due times that were written by a clock that was ahead of the current one: those found at the start, and
/// those that exist when the clock is set back. Otherwise such a delivery would wait until the clock reaches its due
/// time.
#[derive(Default)]
pub(crate) struct ClockSteps {
    last: Option<Timestamp>,
    /// Whether everything written before the last step is corrected.
    is_done: bool,
}

impl ClockSteps {
    /// Requests a correction, because an instance whose clock was ahead has died.
    pub(crate) fn expect_more(&mut self) {
        self.is_done = false;
    }

    /// Corrects the next batch, if there is one.
    pub(crate) async fn correct(
        &mut self,
        queue: &dyn DeliveryQueue,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if self.last.replace(now).is_some_and(|last| now.plus(STEP) < last) {
            self.is_done = false;
        }
        if self.is_done {
            return Ok(());
        }
        let count = queue.correct_due_times(now, BATCH).await?;
        if count > 0 {
            tracing::warn!(
                count,
                "the clock was ahead; the due times of deliveries that it wrote were corrected"
            );
        }
        self.is_done = count < u64::from(BATCH);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::{Arc, Mutex};

    use contact_hub_domain::ports::StoreError;
    use contact_hub_domain::time::Timestamp;
    use contact_hub_domain::webhooks::MockDeliveryQueue;

    use super::ClockSteps;

    fn second(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).expect("in range")
    }

    /// Passes these seconds one after the other; returns those at which it corrected a batch of these sizes.
    async fn corrected(seconds: &[i64], batches: &[Option<u64>]) -> Vec<i64> {
        let calls = Arc::<Mutex<Vec<i64>>>::default();
        let seen = Arc::clone(&calls);
        let batches = Mutex::new(batches.iter().copied().collect::<VecDeque<_>>());
        let mut queue = MockDeliveryQueue::new();
        queue.expect_correct_due_times().returning(move |now, _limit| {
            seen.lock().expect("calls").push(now.micros() / 1_000_000);
            let batch = batches.lock().expect("batches").pop_front().unwrap_or(Some(0));
            batch.ok_or_else(|| StoreError::Unavailable("away".into()))
        });
        let mut steps = ClockSteps::default();
        for at in seconds {
            steps.correct(&queue, second(*at)).await.ok();
        }
        let calls = calls.lock().expect("calls");
        calls.clone()
    }

    #[tokio::test]
    async fn batches_run_at_the_start_and_after_each_step_back() {
        assert_eq!(corrected(&[10, 11, 12], &[]).await, [10]);
        assert_eq!(corrected(&[10, 400, 401, 101, 102], &[]).await, [10, 101]);
    }

    #[tokio::test]
    async fn corrections_continue_until_a_batch_is_not_full_and_after_a_failure() {
        let batches = [None, Some(1000), Some(1000), Some(1)];
        assert_eq!(corrected(&[10, 11, 12, 13, 14, 15], &batches).await, [10, 11, 12, 13]);
    }
}
