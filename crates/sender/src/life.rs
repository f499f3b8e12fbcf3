//! Signs of life: how other instances see that this one has died, and this one that another has.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::ports::{Clock, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Dead, DeliveryQueue, Look};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::WorkerPorts;

/// How often an instance that holds leases gives a sign of life.
const SIGN_EVERY: Duration = Duration::from_millis(500);

/// An instance without a sign of life for so long counts as dead.
pub(crate) const DEAD_AFTER: Duration = Duration::from_secs(2);

/// Looks at the queue that are further apart mean that this instance, or the store, stood still.
const STEADY_WITHIN: Duration = Duration::from_millis(1500);

/// The signs of this instance, given while it holds leases, and what it thinks of others.
pub(crate) struct Life {
    pub(crate) instance: InstanceId,
    holds: Arc<AtomicBool>,
    signs: JoinHandle<()>,
    /// Since when this instance has looked at the queue without a break, and when it did last.
    steady: Option<(Instant, Instant)>,
    /// The newest sign when it is in the future, and since when it has been the same.
    ahead: Option<(Timestamp, Instant)>,
}

impl Drop for Life {
    fn drop(&mut self) {
        self.signs.abort();
    }
}

impl Life {
    /// Begins to give signs.
    pub(crate) fn start(
        instance: InstanceId,
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let holds = Arc::<AtomicBool>::default();
        let signs = tokio::spawn(sign(instance, queue, clock, Arc::clone(&holds)));
        Self { instance, holds, signs, steady: None, ahead: None }
    }

    /// Notes whether this instance holds leases. The claim itself was the first sign.
    pub(crate) fn holds(&self, holds: bool) {
        self.holds.store(holds, Ordering::Relaxed);
    }

    /// Ends the signs for good.
    pub(crate) async fn end(self, queue: &dyn DeliveryQueue) {
        self.signs.abort();
        if let Err(error) = queue.leave(self.instance).await {
            tracing::debug!(%error, "others find out that this instance has ended");
        }
    }

    /// Whether the last look was so long ago.
    pub(crate) fn has_not_looked_for(&self, time: Duration) -> bool {
        self.steady.is_none_or(|(_, last)| last.elapsed() >= time)
    }

    /// Looks at the queue, and takes over what others that have died had in progress; also gives how long until another
    /// instance counts as dead.
    pub(crate) async fn look(
        &mut self,
        ports: &WorkerPorts,
    ) -> Result<(Look, Option<Duration>), StoreError> {
        let look = ports.queue.look(self.instance).await?;
        let now = ports.clock.now();
        let dead_in = self.validate(&look, now);
        if dead_in == Some(Duration::ZERO) {
            self.take_over(ports.queue.as_ref(), now).await?;
        }
        Ok((look, dead_in))
    }

    /// Takes in a look at the queue; how long until another instance counts as dead, if none gives a sign any more.
    ///
    /// Only who has itself looked without a break for as long validates others: after an outage of the store everyone's
    /// last sign is old. A sign from the future, of an instance whose clock was ahead, counts as old once it has not
    /// changed for as long.
    fn validate(&mut self, look: &Look, now: Timestamp) -> Option<Duration> {
        let at = Instant::now();
        let since = match self.steady {
            Some((since, last)) if at.duration_since(last) <= STEADY_WITHIN => since,
            _ => at,
        };
        self.steady = Some((since, at));
        let left_from = |from: Instant| DEAD_AFTER.saturating_sub(at.duration_since(from));
        let newest = look.newest_sign.filter(|sign| *sign > now.plus(DEAD_AFTER));
        self.ahead = newest.map(|sign| match self.ahead {
            Some((before, from)) if before == sign => (sign, from.max(since)),
            _ => (sign, at),
        });
        let dead_at = look.oldest_sign?.plus(DEAD_AFTER);
        let micros = dead_at.micros().saturating_sub(now.micros());
        let wait = Duration::from_micros(u64::try_from(micros).unwrap_or(0)).max(left_from(since));
        Some(self.ahead.map_or(wait, |(_, from)| wait.min(left_from(from))))
    }

    /// The last signs of those that count as dead.
    fn dead(&self, now: Timestamp) -> Dead {
        let ahead = self.ahead.filter(|(_, from)| from.elapsed() >= DEAD_AFTER);
        Dead { until: now.minus(DEAD_AFTER), from: ahead.map(|(sign, _)| sign) }
    }

    /// Ends the leases of those that count as dead.
    async fn take_over(&self, queue: &dyn DeliveryQueue, now: Timestamp) -> Result<(), StoreError> {
        let count = queue.take_over(self.instance, self.dead(now), now).await?;
        if count > 0 {
            tracing::warn!(
                count,
                "deliveries of an instance that gives no sign of life are due again"
            );
        }
        Ok(())
    }
}

async fn sign(
    instance: InstanceId,
    queue: Arc<dyn DeliveryQueue>,
    clock: Arc<dyn Clock>,
    holds: Arc<AtomicBool>,
) {
    let mut ticks = interval(SIGN_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if holds.load(Ordering::Relaxed)
            && let Err(error) = queue.sign(instance, clock.now()).await
        {
            tracing::debug!(%error, "a sign of life is given later");
        }
    }
}
