//! Makes the events of webhooks that follow the change feed.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::{DeliveryId, EventId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::{Announced, Announcement, DeliverySignal, Follower};
use futures_util::FutureExt as _;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::sleep;

use crate::WorkerSignal;
use crate::worker_ports::WorkerPorts;

/// How often it looks without a signal: for entries that other instances wrote, and for new followers.
const EVERY: Duration = Duration::from_secs(1);

/// How long entries are collected after a write, so that an event has many.
const COLLECT: Duration = Duration::from_millis(100);

/// The running task. Dropping this ends it, which is safe at any moment.
#[derive(Debug)]
pub struct Announcing(JoinHandle<()>);

impl Announcing {
    /// Looks for followers that get an event when something was written, when attempts were recorded, and every second.
    #[must_use]
    pub fn start(ports: WorkerPorts, signal: Arc<WorkerSignal>) -> Self {
        let task = async move {
            loop {
                match announce_all(&ports, &signal).await {
                    Ok(true) => pause(&signal).await,
                    Ok(false) => sleep(EVERY).await,
                    Err(error) => {
                        tracing::debug!(%error, "events were not made of the feed; the next run retries");
                        sleep(EVERY).await;
                    }
                }
            }
        };
        Self(tokio::spawn(task.boxed()))
    }
}

impl Drop for Announcing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn pause(signal: &WorkerSignal) {
    let collected = async {
        signal.written().await;
        sleep(COLLECT).await;
    };
    tokio::select! {
        () = signal.recorded.notified() => {}
        () = collected => {}
        () = sleep(EVERY) => {}
    }
}

/// Makes events until no follower gets one for now, in rounds of at most one event for each follower, and of some for each
/// company, so that none waits for all entries of another. Returns false when there are no followers.
async fn announce_all(ports: &WorkerPorts, signal: &WorkerSignal) -> Result<bool, StoreError> {
    let (mut after, mut is_any, mut has_advanced) = (None, false, false);
    loop {
        let seen = ports.queue.followers(after).await?;
        is_any |= seen.is_any;
        for follower in seen.ready {
            match ports.queue.announce(announcement(ports, follower)).await {
                Ok(Announced::Event) => {
                    signal.wake();
                    has_advanced = true;
                }
                Ok(Announced::Passed) => has_advanced = true,
                Ok(Announced::Nothing) => {}
                // None of them must keep events from other followers.
                Err(StoreError::Unavailable(error)) => {
                    let webhook = follower.webhook;
                    tracing::debug!(%webhook, %error, "no event was made for a webhook; the next run retries");
                }
                Err(error) => {
                    let webhook = follower.webhook;
                    tracing::error!(%webhook, ?error, "no event was made for a webhook; the next run retries");
                }
            }
        }
        after = seen.more_after;
        if after.is_none() && !std::mem::take(&mut has_advanced) {
            return Ok(is_any);
        }
        yield_now().await;
    }
}

fn announcement(ports: &WorkerPorts, follower: Follower) -> Announcement {
    Announcement {
        follower,
        event_id: EventId::new(ports.ids.next()),
        delivery_id: DeliveryId::new(ports.ids.next()),
        now: ports.clock.now(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use contact_hub_domain::ids::WebhookId;
    use contact_hub_domain::ports::{MockClock, MockIds, MockRandomness};
    use contact_hub_domain::time::Timestamp;
    use contact_hub_domain::webhooks::{
        EventKind, Followers, MockDeliveryQueue, MockWebhookSender,
    };
    use uuid::Uuid;

    use super::*;

    fn follower(number: u128) -> Follower {
        let webhook = WebhookId::new(Uuid::from_u128(number));
        Follower { webhook, kind: EventKind::ContactsChanged }
    }

    fn start(queue: MockDeliveryQueue) -> (Announcing, Arc<WorkerSignal>) {
        let (mut clock, mut ids) = (MockClock::new(), MockIds::new());
        clock.expect_now().return_const(Timestamp::from_micros(0).expect("in range"));
        ids.expect_next().return_const(Uuid::nil());
        let ports = WorkerPorts {
            queue: Arc::new(queue),
            sender: Arc::new(MockWebhookSender::new()),
            clock: Arc::new(clock),
            ids: Arc::new(ids),
            randomness: Arc::new(MockRandomness::new()),
        };
        let signal = Arc::<WorkerSignal>::default();
        (Announcing::start(ports, Arc::clone(&signal)), signal)
    }

    /// Counts the checks; each finds these followers.
    fn looking(seen: Followers) -> (MockDeliveryQueue, Arc<AtomicUsize>) {
        let (mut queue, looks) = (MockDeliveryQueue::new(), Arc::<AtomicUsize>::default());
        let counted = Arc::clone(&looks);
        queue.expect_followers().returning(move |_after| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(seen.clone())
        });
        (queue, looks)
    }

    #[tokio::test(start_paused = true)]
    async fn without_followers_it_always_checks_once_a_second() {
        let (queue, looks) = looking(Followers::default());
        let (_announcing, signal) = start(queue);
        for _ in 0..100 {
            signal.note_write();
            signal.recorded.notify_one();
            sleep(Duration::from_millis(100)).await;
        }
        assert!((9..=12).contains(&looks.load(Ordering::Relaxed)), "{looks:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn with_followers_it_checks_soon_after_a_write_and_at_once_after_an_attempt() {
        let (queue, looks) = looking(Followers { is_any: true, ..Followers::default() });
        let (_announcing, signal) = start(queue);
        let seen = || looks.load(Ordering::Relaxed);
        sleep(Duration::from_millis(1)).await;
        assert_eq!(seen(), 1);
        signal.recorded.notify_one();
        sleep(Duration::from_millis(1)).await;
        assert_eq!(seen(), 2);
        for _ in 0..10 {
            signal.note_write();
            sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(seen(), 2);
        sleep(COLLECT).await;
        assert!((3..=4).contains(&seen()), "{}", seen());
    }

    #[tokio::test(start_paused = true)]
    async fn a_follower_whose_event_fails_does_not_block_the_others() {
        let ready = vec![follower(1), follower(2), follower(3)];
        let (mut queue, _looks) = looking(Followers { ready, more_after: None, is_any: true });
        queue.expect_announce().returning(|announcement| {
            if announcement.follower == follower(1) {
                Err(StoreError::Corrupt("an entry".to_owned()))
            } else if announcement.follower == follower(2) {
                Err(StoreError::Unavailable("a statement took too long".into()))
            } else {
                Ok(Announced::Event)
            }
        });
        let (_announcing, signal) = start(queue);
        signal.woken().await;
    }
}
