//! The worker: it claims what is due, sends it, and records what came of it.
//!
//! # The story
//!
//! *Who writes.* Whoever causes an event writes it with one delivery for each webhook in the transaction of the cause,
//! and wakes the worker after the commit. A wake that is lost costs at most a second: the worker looks by itself.
//!
//! *Who claims.* This loop, in any number of instances. A claim is one short transaction that takes many deliveries
//! under a lease of [`LEASE`], longer than an attempt can last. No transaction is open while a receiver is waited for.
//!
//! *Who sends.* Each claimed delivery is a task of its own, so a slow receiver holds up nobody. The queue gives at most
//! [`MAX_ATTEMPTS_AT_ONCE`] for one webhook, the worker takes at most [`WorkerOptions::concurrency`] for all.
//!
//! *Who records.* This loop again, in one transaction for all attempts that have ended by then. It goes on claiming at
//! once and does not wait for the others, so a webhook's next delivery starts when one of its attempts has ended.
//!
//! *What a crash leaves behind.* Deliveries that are in progress under a lease. When it ends they are claimed again,
//! under the number that they had, since an attempt counts only once it is recorded. An attempt whose record was lost is
//! made twice, with the same event id, by which the receiver knows it: at least once, never lost.
//!
//! *What an end leaves behind.* Nothing: the worker stops claiming, lets running attempts end, records them, and gives
//! back what has not ended in time.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::LeaseId;
use contact_hub_domain::ports::{Chance, Clock, Ids, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Claim, DeliveryQueue, HealthNews, MAX_ATTEMPTS_AT_ONCE, RetrySchedule, WebhookNotice,
    WebhookSender,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::running::{Held, Running, held};
use crate::{Pulse, WorkerSignal, meters};

/// How long a claim holds: the deadline of an attempt, and room for a slow claim before it and a slow record after it.
const LEASE: Duration = Duration::from_secs(30);

/// A claim that took longer is given back: its attempts might outlast their lease, and then be made twice.
const SLOW_CLAIM: Duration = Duration::from_secs(10);

/// The longest time without a look at the queue.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The shortest time between two looks at what is due and was left to others.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long running attempts may take to end once the worker stops.
const GRACE: Duration = Duration::from_secs(25);

/// What the worker works with.
#[derive(Clone)]
pub struct WorkerPorts {
    /// Where deliveries wait.
    pub queue: Arc<dyn DeliveryQueue>,
    /// Makes the attempts.
    pub sender: Arc<dyn WebhookSender>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids of leases and attempts.
    pub ids: Arc<dyn Ids>,
    /// Spreads retries.
    pub chance: Arc<dyn Chance>,
}

/// How the worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The most attempts at once, for all webhooks together.
    pub concurrency: u32,
    /// When failed deliveries are tried again.
    pub schedule: RetrySchedule,
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Worker {
    /// Starts it on the present runtime.
    #[must_use]
    pub fn start(
        ports: WorkerPorts,
        options: WorkerOptions,
        signal: Arc<WorkerSignal>,
        pulse: Arc<Pulse>,
    ) -> Self {
        let (stop, stopped) = oneshot::channel();
        let options = Arc::new(options);
        let work = Work {
            ports,
            options,
            signal,
            pulse,
            running: Running::default(),
            look_again: LOOK_AGAIN,
            is_away: false,
        };
        Self { stop, task: tokio::spawn(work.run(stopped)) }
    }

    /// Ends it in order: at once when nothing runs, in less than 30 seconds in any case.
    pub async fn stop(self) {
        // Sending fails only when the task has ended already.
        self.stop.send(()).ok();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the worker of deliveries ended badly");
        }
    }
}

struct Work {
    ports: WorkerPorts,
    options: Arc<WorkerOptions>,
    signal: Arc<WorkerSignal>,
    pulse: Arc<Pulse>,
    running: Running,
    /// When to look again at what is due and was left to others.
    look_again: Duration,
    /// Whether the store was away when it was last asked.
    is_away: bool,
}

impl Work {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut is_due = true;
        loop {
            self.pulse.beat();
            self.record().await;
            let seen = if is_due { Some(self.claim().await) } else { None };
            is_due = tokio::select! {
                biased;
                _ = &mut stopped => break,
                is_due = self.pause(seen) => is_due,
            };
        }
        self.finish().await;
    }

    /// Waits until there may be something to do; true when something may be due.
    async fn pause(&mut self, seen: Option<Timestamp>) -> bool {
        if self.is_away {
            sleep(LOOK_EVERY).await;
            return true;
        }
        self.running.gather().await;
        if !self.running.ended.is_empty() {
            return true;
        }
        let (wait, is_due_then) = self.next_look(seen).await;
        tokio::select! {
            () = self.running.end_any() => true,
            () = self.signal.woken() => true,
            () = sleep(wait) => is_due_then,
        }
    }

    /// How long to wait when nothing happens, and whether something is due after it. What was due at the look that was
    /// just taken, and was left, belongs to a webhook that has as much in progress as it may, or that another instance
    /// was just at. The other is soon done; a full webhook may stay full. So the looks come ever less often, until
    /// something was to be had.
    async fn next_look(&mut self, seen: Option<Timestamp>) -> (Duration, bool) {
        let next = self.ports.queue.next_due().await;
        let Ok(next) = next.map_err(|error| self.away(&error)) else {
            return (LOOK_EVERY, true);
        };
        let Some(next) = next else { return (LOOK_EVERY, false) };
        if seen.is_some_and(|seen| next <= seen) {
            let wait = self.look_again;
            self.look_again = wait.saturating_mul(2).min(LOOK_EVERY);
            return (wait, true);
        }
        let micros = next.micros().saturating_sub(self.ports.clock.now().micros());
        let wait = Duration::from_micros(u64::try_from(micros).unwrap_or(0));
        if wait > LOOK_EVERY { (LOOK_EVERY, false) } else { (wait, true) }
    }

    /// Takes on what is due; gives the moment of which it has seen everything.
    async fn claim(&mut self) -> Timestamp {
        let started = Instant::now();
        let taken = u32::try_from(self.running.len()).unwrap_or(u32::MAX);
        let limit = self.options.concurrency.saturating_sub(taken);
        let now = self.ports.clock.now();
        if limit == 0 {
            return now;
        }
        let claim = Claim {
            lease: LeaseId::new(self.ports.ids.next()),
            now,
            lease_until: now.plus(LEASE),
            limit,
            per_webhook: MAX_ATTEMPTS_AT_ONCE,
        };
        match self.ports.queue.claim(claim).await {
            Ok(claimed) => {
                self.is_away = false;
                meters::claimed(claimed.len());
                if !claimed.is_empty() {
                    self.look_again = LOOK_AGAIN;
                }
                if started.elapsed() > SLOW_CLAIM {
                    let held = claimed.iter().map(held).collect();
                    give_back(self.ports.queue.as_ref(), held).await;
                    return now;
                }
                for claimed in claimed {
                    self.running.start(&self.ports, &self.options, claimed);
                }
            }
            Err(error) => self.away(&error),
        }
        now
    }

    async fn record(&mut self) {
        if self.running.ended.is_empty() {
            return;
        }
        match self.ports.queue.record(self.running.ended.clone()).await {
            Ok(notices) => {
                self.is_away = false;
                self.running.ended.clear();
                notices.iter().for_each(tell);
            }
            Err(StoreError::Unavailable(error)) => {
                self.away(&StoreError::Unavailable(error));
            }
            Err(_of_some) => self.record_each().await,
        }
    }

    /// One attempt that cannot be recorded does not hold up the others: its lease ends, and it is made again.
    async fn record_each(&mut self) {
        for recorded in std::mem::take(&mut self.running.ended) {
            let delivery = recorded.delivery_id;
            match self.ports.queue.record(vec![recorded]).await {
                Ok(notices) => notices.iter().for_each(tell),
                Err(error) => tracing::error!(%delivery, ?error, "an attempt is not recorded"),
            }
        }
    }

    /// Tells once that the store is away, until it is there again.
    fn away(&mut self, error: &StoreError) {
        if !self.is_away {
            tracing::warn!(?error, "deliveries wait for the store");
        }
        self.is_away = true;
    }

    async fn finish(mut self) {
        let until = Instant::now() + GRACE;
        self.running.end_all(until).await;
        self.record().await;
        while !self.running.ended.is_empty() && Instant::now() < until {
            sleep(LOOK_EVERY).await;
            self.record().await;
        }
        give_back(self.ports.queue.as_ref(), self.running.give_up()).await;
    }
}

async fn give_back(queue: &dyn DeliveryQueue, held: Vec<Held>) {
    if held.is_empty() {
        return;
    }
    tracing::warn!(count = held.len(), "claims are given back for want of time");
    if let Err(error) = queue.release(held).await {
        tracing::warn!(?error, "they are tried again when their leases end");
    }
}

fn tell(notice: &WebhookNotice) {
    let webhook = notice.webhook_id;
    match notice.news {
        HealthNews::Warned => {
            tracing::warn!(%webhook, "a webhook has failed for long and will be switched off");
        }
        HealthNews::SwitchedOff(reason) => {
            meters::switched_off(reason);
            tracing::warn!(%webhook, reason = reason.as_str(), "a webhook is switched off");
        }
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
