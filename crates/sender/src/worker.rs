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
//! [`MAX_ATTEMPTS_AT_ONCE`] for one webhook, the worker takes at most [`WorkerOptions::concurrency`] for all, of which a
//! company or a host gets a share, and some are kept for companies that have nothing in progress.
//!
//! *Who records.* This loop again, in one transaction for all attempts that have ended by then. It goes on claiming at
//! once and does not wait for the others, so a webhook's next delivery starts when one of its attempts has ended.
//!
//! *What a crash leaves behind.* Deliveries that are in progress under a lease. Another instance, or this one once it runs
//! again, misses the signs of life of the dead one and ends its leases ([`Life`]). They are claimed again, under the number that they had, since an attempt counts only once it is recorded. An attempt whose record was lost is
//! made twice, with the same event id, by which the receiver knows it: at least once, never lost.
//!
//! *What an end leaves behind.* Nothing: the worker stops claiming, lets running attempts end, records them, and gives
//! back what has not ended in time.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::{InstanceId, LeaseId};
use contact_hub_domain::ports::{Clock, Ids, Randomness, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Claim, DeliveryQueue, Look, MAX_ATTEMPTS_AT_ONCE, Recorded, RetrySchedule, Walk, WebhookSender,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::life::{DEAD_AFTER, Life};
use crate::running::{Held, Running, held};
use crate::{Heartbeat, WorkerSignal, metrics};

/// How long a claim holds: the deadline of an attempt, and room for a slow claim before it and a slow record after it.
const LEASE: Duration = Duration::from_secs(30);

/// An attempt that could not be recorded for so long is given up. Until then its record counts, unless another instance
/// has taken the delivery on.
const RECORDED_WITHIN: Duration = Duration::from_mins(10);

/// A claim that took longer is given back: meanwhile others may have taken this instance for dead.
const SLOW_CLAIM: Duration = DEAD_AFTER;

/// A company has at most this share of the attempts in progress, and so has a host.
const COMPANY_SHARE: u32 = 4;
const HOST_SHARE: u32 = 2;

/// This share is kept for companies that have nothing in progress.
const RESERVED_SHARE: u32 = 8;

/// So many claims go on where the one before stopped, before attempts that have ended are recorded.
const CLAIMS_IN_A_ROW: u32 = 16;

/// So many records of single attempts that fail in a row mean that the store is away.
const AWAY_AFTER: u32 = 3;

/// The longest time without a look at the queue.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The longest one while other instances hold leases: a late look then does not make this instance doubt what it saw.
const WATCH_EVERY: Duration = Duration::from_millis(500);

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
    pub randomness: Arc<dyn Randomness>,
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
        heartbeat: Arc<Heartbeat>,
    ) -> Self {
        let (stop, stopped) = oneshot::channel();
        let options = Arc::new(options);
        let instance = InstanceId::new(ports.ids.next());
        let life = Life::start(instance, Arc::clone(&ports.queue), Arc::clone(&ports.clock));
        let work = Work {
            ports,
            options,
            signal,
            heartbeat,
            running: Running::default(),
            look_again: LOOK_AGAIN,
            is_away: false,
            walk: Walk::default(),
            doubtful: false,
            life,
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
    heartbeat: Arc<Heartbeat>,
    running: Running,
    /// When to look again at what is due and was left to others.
    look_again: Duration,
    /// Whether the store was away when it was last asked.
    is_away: bool,
    /// Where the next claim begins its walk.
    walk: Walk,
    /// Whether the last attempts that ended could not be recorded together.
    doubtful: bool,
    life: Life,
}

impl Work {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut is_due = true;
        loop {
            self.heartbeat.beat();
            self.give_back_unsent().await;
            self.record().await;
            self.life.holds(self.running.len() > 0);
            let seen = if is_due { self.claim().await } else { None };
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
            // Attempts that keep ending leave no time for a pause, but another instance may have died.
            if self.life.has_not_looked_for(WATCH_EVERY) {
                self.look().await;
            }
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
        let Some((look, dead_in)) = self.look().await else {
            return (LOOK_EVERY, true);
        };
        let (wait, is_due) = self.wait_for(look.next_due, seen);
        match dead_in {
            Some(Duration::ZERO) => (LOOK_AGAIN, true),
            Some(dead_in) => (wait.min(dead_in).min(WATCH_EVERY), is_due),
            None => (wait, is_due),
        }
    }

    async fn look(&mut self) -> Option<(Look, Option<Duration>)> {
        let looked = self.life.look(&self.ports).await;
        let (look, dead_in) = looked.map_err(|error| self.away(&error)).ok()?;
        if look.is_unsettled {
            self.signal.unsettled.notify_one();
        }
        Some((look, dead_in))
    }

    fn wait_for(&mut self, next: Option<Timestamp>, seen: Option<Timestamp>) -> (Duration, bool) {
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

    /// Takes on what is due; gives the moment of which it has seen everything. A claim visits a bounded number of
    /// companies, so there may be several; when there are very many, attempts are recorded in between.
    async fn claim(&mut self) -> Option<Timestamp> {
        let now = self.ports.clock.now();
        for _ in 0..CLAIMS_IN_A_ROW {
            let Some(claim) = self.next_claim() else { return Some(now) };
            let started = Instant::now();
            let taken = match self.ports.queue.claim(claim).await {
                Ok(taken) => taken,
                Err(error) => {
                    self.away(&error);
                    return Some(now);
                }
            };
            self.is_away = false;
            self.walk = taken.walk;
            metrics::claimed(taken.claimed.len());
            if !taken.claimed.is_empty() {
                self.look_again = LOOK_AGAIN;
            }
            if started.elapsed() > SLOW_CLAIM {
                let held = taken.claimed.iter().map(held).collect();
                give_back(self.ports.queue.as_ref(), held).await;
                return Some(now);
            }
            for claimed in taken.claimed {
                self.running.start(&self.ports, &self.options, claimed, started);
            }
            self.life.holds(self.running.len() > 0);
            if self.walk.after.is_none() {
                return Some(now);
            }
        }
        None
    }

    /// What to claim next; `None` while there is no room.
    fn next_claim(&self) -> Option<Claim> {
        let taken = u32::try_from(self.running.len()).unwrap_or(u32::MAX);
        let concurrency = self.options.concurrency;
        let limit = concurrency.saturating_sub(taken);
        if limit == 0 {
            return None;
        }
        let now = self.ports.clock.now();
        let per_host = (concurrency / HOST_SHARE).max(MAX_ATTEMPTS_AT_ONCE);
        Some(Claim {
            lease: LeaseId::new(self.ports.ids.next()),
            instance: self.life.instance,
            now,
            lease_until: now.plus(LEASE),
            limit,
            reserved: concurrency / RESERVED_SHARE,
            per_webhook: MAX_ATTEMPTS_AT_ONCE,
            per_company: (concurrency / COMPANY_SHARE).max(MAX_ATTEMPTS_AT_ONCE),
            per_host,
            hosts: self.running.hosts_from(per_host / 2),
            walk: self.walk.clone(),
        })
    }

    /// What was not sent, because this instance stood still after its claim, is left to whoever may have it by now.
    async fn give_back_unsent(&mut self) {
        let unsent = std::mem::take(&mut self.running.unsent);
        give_back(self.ports.queue.as_ref(), unsent).await;
    }

    /// Records what has ended, in one transaction. When that fails some attempt may be to blame, so the next time each
    /// is recorded on its own.
    async fn record(&mut self) {
        if self.running.ended.is_empty() {
            return;
        }
        if self.doubtful {
            return self.record_each().await;
        }
        match self.ports.queue.record(self.running.ended.clone()).await {
            Ok(notices) => {
                self.is_away = false;
                self.running.ended.clear();
                notices.iter().for_each(metrics::note);
            }
            Err(StoreError::Unavailable(error)) => {
                self.doubtful = true;
                self.away(&StoreError::Unavailable(error));
            }
            Err(_of_some) => self.record_each().await,
        }
    }

    /// One attempt that cannot be recorded holds up no other: it is tried again behind the others, and given up after a
    /// while; then it is made again. When several fail in a row the store is away, and the rest waits.
    async fn record_each(&mut self) {
        let (mut failed, mut in_a_row) = (Vec::new(), 0);
        let mut ended = std::mem::take(&mut self.running.ended).into_iter();
        while in_a_row < AWAY_AFTER
            && let Some(recorded) = ended.next()
        {
            match self.ports.queue.record(vec![recorded.clone()]).await {
                Ok(notices) => {
                    in_a_row = 0;
                    notices.iter().for_each(metrics::note);
                }
                Err(StoreError::Unavailable(error)) => {
                    in_a_row += 1;
                    self.away(&StoreError::Unavailable(error));
                    failed.push(recorded);
                }
                Err(error) => {
                    let delivery = recorded.delivery_id;
                    tracing::error!(%delivery, ?error, "an attempt is not recorded");
                }
            }
        }
        let is_done = in_a_row == 0;
        let now = self.ports.clock.now();
        let is_held =
            |recorded: &Recorded| recorded.attempt.result.ended_at().plus(RECORDED_WITHIN) > now;
        self.running.ended = ended.chain(failed).filter(is_held).collect();
        self.doubtful = !self.running.ended.is_empty();
        self.is_away = !is_done;
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
        self.life.end(self.ports.queue.as_ref()).await;
    }
}

async fn give_back(queue: &dyn DeliveryQueue, held: Vec<Held>) {
    if held.is_empty() {
        return;
    }
    tracing::warn!(count = held.len(), "claims whose attempts were not made are given back");
    if let Err(error) = queue.release(held).await {
        tracing::warn!(?error, "they are tried again when their leases end");
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
