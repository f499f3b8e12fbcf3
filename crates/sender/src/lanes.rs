//! The attempts of each webhook: few run at once, and deliveries that were claimed ahead wait for them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{AttemptResult, MAX_ATTEMPTS_AT_ONCE};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A receiver keeps up while it answers within this time, with success.
const QUICK: Duration = Duration::from_millis(100);

/// How long a delivery may wait for its attempt. When that time has passed, the receiver no longer keeps up.
const WAIT: Duration = Duration::from_secs(1);

/// The lanes of all webhooks of which this instance holds deliveries.
#[derive(Default)]
pub(crate) struct Lanes(HashMap<WebhookId, Held>);

#[derive(Default)]
struct Held {
    lane: Arc<Lane>,
    deliveries: u32,
}

/// The attempts of one webhook.
pub(crate) struct Lane {
    permits: Arc<Semaphore>,
    keeps_up: AtomicBool,
}

/// The right to attempt a delivery, or a place among those that wait for it.
pub(crate) enum Turn {
    /// It may be attempted at once.
    Now(OwnedSemaphorePermit),
    /// It was claimed ahead.
    Later,
}

impl Default for Lane {
    fn default() -> Self {
        let permits = usize::try_from(MAX_ATTEMPTS_AT_ONCE).unwrap_or(usize::MAX);
        Self { permits: Arc::new(Semaphore::new(permits)), keeps_up: AtomicBool::new(false) }
    }
}

impl Lane {
    /// Whether a delivery may be attempted at once.
    pub(crate) fn turn(&self) -> Turn {
        Arc::clone(&self.permits).try_acquire_owned().map_or(Turn::Later, Turn::Now)
    }

    /// Waits for the right to attempt a delivery. `None` when the receiver does not keep up: then the delivery should
    /// not have been claimed ahead.
    pub(crate) async fn permit(&self, turn: Turn) -> Option<OwnedSemaphorePermit> {
        match turn {
            Turn::Now(permit) => Some(permit),
            Turn::Later => {
                let acquired = timeout(WAIT, Arc::clone(&self.permits).acquire_owned()).await;
                let permit = acquired.ok()?.ok()?;
                self.keeps_up.load(Ordering::Relaxed).then_some(permit)
            }
        }
    }

    /// Notes whether the receiver kept up in an attempt.
    pub(crate) fn note(&self, result: &AttemptResult) {
        let keeps_up = result.outcome.is_success() && result.duration <= QUICK;
        self.keeps_up.store(keeps_up, Ordering::Relaxed);
    }
}

impl Lanes {
    /// The lane of a webhook, which now holds one more delivery.
    pub(crate) fn enter(&mut self, webhook: WebhookId) -> Arc<Lane> {
        let held = self.0.entry(webhook).or_default();
        held.deliveries = held.deliveries.saturating_add(1);
        Arc::clone(&held.lane)
    }

    /// Notes that a webhook has one held delivery less.
    pub(crate) fn leave(&mut self, webhook: WebhookId) {
        if let Some(held) = self.0.get_mut(&webhook) {
            held.deliveries = held.deliveries.saturating_sub(1);
        }
    }

    /// The webhooks whose receivers keep up.
    pub(crate) fn keeping_up(&self) -> Vec<WebhookId> {
        let keeping_up =
            self.0.iter().filter(|(_, held)| held.lane.keeps_up.load(Ordering::Relaxed));
        keeping_up.map(|(webhook, _)| *webhook).collect()
    }

    /// How many deliveries of receivers that keep up are held.
    pub(crate) fn held_by_quick(&self) -> usize {
        let quick = self.0.values().filter(|held| held.lane.keeps_up.load(Ordering::Relaxed));
        quick.map(|held| usize::try_from(held.deliveries).unwrap_or(usize::MAX)).sum()
    }

    /// Forgets the webhooks of which nothing is held.
    pub(crate) fn forget_empty(&mut self) {
        self.0.retain(|_, held| held.deliveries > 0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use contact_hub_domain::ids::WebhookId;
    use contact_hub_domain::time::Timestamp;
    use contact_hub_domain::webhooks::{AttemptOutcome, AttemptResult, ErrorClass, Headers};
    use uuid::Uuid;

    use super::{Lane, Lanes, QUICK, Turn, WAIT};

    fn result(outcome: AttemptOutcome, duration: Duration) -> AttemptResult {
        AttemptResult {
            started_at: Timestamp::from_micros(0).expect("in range"),
            duration,
            outcome,
            retry_after: None,
            answer: None,
            request_headers: Headers::default(),
            answer_headers: Headers::default(),
        }
    }

    fn quick() -> AttemptResult {
        result(AttemptOutcome::Answered(200), QUICK)
    }

    /// The permits for all attempts that a lane may have at once.
    fn full(lane: &Lane) -> Vec<Turn> {
        let turns: Vec<Turn> = (0..8).map(|_| lane.turn()).collect();
        assert!(turns.iter().all(|turn| matches!(turn, Turn::Now(_))));
        assert!(matches!(lane.turn(), Turn::Later));
        turns
    }

    #[tokio::test(start_paused = true)]
    async fn prefetched_deliveries_are_attempted_after_eight_others_if_the_receiver_keeps_up() {
        let lane = Arc::<Lane>::default();
        let mut turns = full(&lane);
        let waiting = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.permit(Turn::Later).await.is_some() }
        });
        tokio::time::sleep(WAIT / 2).await;
        assert!(!waiting.is_finished(), "a ninth attempt runs");
        lane.note(&quick());
        turns.pop();
        assert!(waiting.await.expect("it ends"));
    }

    #[tokio::test(start_paused = true)]
    async fn prefetched_deliveries_are_not_attempted_if_the_receiver_is_slow_or_fails() {
        let lane = Lane::default();
        for slow in [
            result(AttemptOutcome::Answered(200), QUICK + Duration::from_millis(1)),
            result(AttemptOutcome::Answered(500), Duration::ZERO),
            result(AttemptOutcome::Failed(ErrorClass::Connect), Duration::ZERO),
        ] {
            lane.note(&quick());
            assert!(lane.permit(Turn::Later).await.is_some());
            lane.note(&slow);
            assert!(lane.permit(Turn::Later).await.is_none(), "{slow:?}");
            // A delivery that was claimed for an immediate attempt is attempted.
            assert!(lane.permit(lane.turn()).await.is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn prefetched_deliveries_wait_for_at_most_a_second() {
        let lane = Lane::default();
        lane.note(&quick());
        let _turns = full(&lane);
        let started = tokio::time::Instant::now();
        assert!(lane.permit(Turn::Later).await.is_none());
        assert_eq!(started.elapsed(), WAIT);
    }

    #[test]
    fn a_webhook_is_removed_when_none_of_its_deliveries_is_held() {
        let mut lanes = Lanes::default();
        let webhook = WebhookId::new(Uuid::from_u128(1));
        let lane = lanes.enter(webhook);
        assert!(Arc::ptr_eq(&lane, &lanes.enter(webhook)));
        assert_eq!(lanes.keeping_up(), []);
        lane.note(&quick());
        lanes.leave(webhook);
        lanes.forget_empty();
        assert_eq!(lanes.keeping_up(), [webhook]);
        lanes.leave(webhook);
        assert_eq!(lanes.keeping_up(), [webhook], "the next claim still takes account of it");
        lanes.forget_empty();
        assert_eq!(lanes.keeping_up(), []);
    }
}
