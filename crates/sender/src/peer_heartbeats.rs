//! Heartbeats of instances: this instance writes its own, and detects that another one has died.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::ports::{Clock, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Dead, DeliveryQueue, Look};
use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::clock_steps::ClockSteps;
use crate::metrics::taken_over;
use crate::worker_ports::WorkerPorts;

/// The interval between heartbeats of an instance that holds leases.
const SIGN_EVERY: Duration = Duration::from_millis(500);

/// An instance without a heartbeat for this long counts as dead.
pub(crate) const DEAD_AFTER: Duration = Duration::from_secs(2);

/// A longer gap between two looks at the queue means that this instance, or the store, was stopped.
const STEADY_WITHIN: Duration = Duration::from_millis(1500);

/// Writes the heartbeats of this instance while it holds leases, and evaluates those of others.
pub(crate) struct PeerHeartbeats {
    pub(crate) instance: InstanceId,
    holds: Arc<AtomicBool>,
    task: JoinHandle<()>,
    /// Since when this instance has looked at the queue without a gap, and the time of its last look.
    steady: Option<(Instant, Instant)>,
    /// The newest heartbeat if it is in the future, and since when it has not changed.
    ahead: Option<(Timestamp, Instant)>,
    clock_steps: ClockSteps,
}

impl Drop for PeerHeartbeats {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl PeerHeartbeats {
    /// Starts to write heartbeats.
    pub(crate) fn start(
        instance: InstanceId,
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let holds = Arc::<AtomicBool>::default();
        let task = tokio::spawn(sign(instance, queue, clock, Arc::clone(&holds)).boxed());
        let clock_steps = ClockSteps::default();
        Self { instance, holds, task, steady: None, ahead: None, clock_steps }
    }

    /// Sets whether this instance holds leases. The claim itself was the first heartbeat.
    pub(crate) fn holds(&self, holds: bool) {
        self.holds.store(holds, Ordering::Relaxed);
    }

    /// Stops the heartbeats, and removes this instance.
    pub(crate) async fn end(self, queue: &dyn DeliveryQueue) {
        self.task.abort();
        if let Err(error) = queue.leave(self.instance).await {
            tracing::debug!(%error, "the end of this instance was not recorded; others will detect it");
        }
    }

    /// Whether the last look was at least this long ago.
    pub(crate) fn has_not_looked_for(&self, time: Duration) -> bool {
        self.steady.is_none_or(|(_, last)| last.elapsed() >= time)
    }

    /// Corrects the due times that a clock ahead wrote, reads the queue, and takes over the deliveries of dead
    /// instances. Also returns the time until another instance counts as dead.
    pub(crate) async fn look(
        &mut self,
        ports: &WorkerPorts,
    ) -> Result<(Look, Option<Duration>), StoreError> {
        self.clock_steps.correct(ports.queue.as_ref(), ports.clock.now()).await?;
        let look = ports.queue.look(self.instance).await?;
        let now = ports.clock.now();
        let dead_in = self.validate(&look, now);
        if dead_in == Some(Duration::ZERO) {
            self.take_over(ports.queue.as_ref(), now).await?;
        }
        Ok((look, dead_in))
    }

    /// Evaluates a look at the queue; returns the time until another instance counts as dead, if none writes a heartbeat
    /// any more.
    ///
    /// Only an instance that has itself looked without a gap for that long may declare others dead: after an outage of
    /// the store all heartbeats are old. A heartbeat from the future, of an instance whose clock was ahead, counts as old
    /// once it has not changed for that long.
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

    /// The last heartbeats of the instances that count as dead.
    fn dead(&self, now: Timestamp) -> Dead {
        let ahead = self.ahead.filter(|(_, from)| from.elapsed() >= DEAD_AFTER);
        Dead { until: now.minus(DEAD_AFTER), from: ahead.map(|(sign, _)| sign) }
    }

    /// Ends the leases of the instances that count as dead.
    async fn take_over(
        &mut self,
        queue: &dyn DeliveryQueue,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let dead = self.dead(now);
        let count = queue.take_over(self.instance, dead).await?;
        if dead.from.is_some() {
            self.clock_steps.expect_more();
        }
        taken_over(count);
        if count > 0 {
            tracing::warn!(count, "deliveries of an instance without a heartbeat are due again");
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
            tracing::debug!(%error, "a heartbeat was not written");
        }
    }
}
