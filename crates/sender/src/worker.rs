//! The worker: claims due deliveries, sends them, and records the outcomes.
//!
//! # The life of a delivery
//!
//! *Writing.* The transaction that causes an event also writes it, with one delivery for each webhook, and wakes the
//! worker after the commit. A lost wake costs at most a second: the worker also polls.
//!
//! *Claiming.* This loop, in any number of instances. A claim is one short transaction that takes many deliveries under
//! a lease of [`LEASE`], longer than an attempt can last. No transaction is open during an attempt.
//!
//! *Sending.* Each delivery is sent by a separate task, so a slow receiver does not delay others. At most
//! [`MAX_ATTEMPTS_AT_ONCE`] run for one webhook and [`WorkerOptions::concurrency`] in total. A company or a host gets
//! a share of these, and some are reserved for companies that have nothing in progress.
//!
//! *Recording.* This loop records all attempts that have ended by then, in one transaction. Then it claims again,
//! without waiting for the other attempts.
//!
//! *After a crash.* Another instance, or this one after a restart, notices that the signs of life are missing and ends
//! the leases ([`PeerSigns`]). The deliveries are claimed again, with the same attempt number, since an attempt counts
//! only once it is recorded. An attempt whose record was lost is repeated with the same event id, by which the
//! receiver recognises it. So delivery is at least once.
//!
//! *After a shutdown.* Nothing remains: the worker stops claiming, lets running attempts end, records them, and
//! releases those that did not end in time.

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

use crate::peer_signs::{DEAD_AFTER, PeerSigns};
use crate::running::{Held, Running, held};
use crate::{Heartbeat, WorkerSignal, metrics};

/// How long a lease lasts: the deadline of an attempt, and time for a slow claim and a slow record.
const LEASE: Duration = Duration::from_secs(30);

/// How long recording an attempt is retried. Until then its record is valid, unless another instance has claimed the
/// delivery.
const RECORDED_WITHIN: Duration = Duration::from_mins(10);

/// A claim that took longer is released: other instances may meanwhile have considered this one dead.
const SLOW_CLAIM: Duration = DEAD_AFTER;

/// A company may have one part in so many of the attempts in progress, and so may a host.
const COMPANY_SHARE: u32 = 4;
const HOST_SHARE: u32 = 2;

/// One part in so many is reserved for companies that have nothing in progress.
const RESERVED_SHARE: u32 = 8;

/// How many claims may follow each other, each from where the previous one stopped, before ended attempts are
/// recorded.
const CLAIMS_IN_A_ROW: u32 = 16;

/// After this many failed records of single attempts in a row the store counts as unavailable.
const UNAVAILABLE_AFTER: u32 = 3;

/// The longest time between two looks at the queue.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The longest time while other instances hold leases; see [`PeerSigns`].
const WATCH_EVERY: Duration = Duration::from_millis(500);

/// The shortest time before the queue is read again when due deliveries were left to others.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long running attempts may take to end once the worker stops.
const GRACE: Duration = Duration::from_secs(25);

/// The ports of the worker.
#[derive(Clone)]
pub struct WorkerPorts {
    /// The delivery queue.
    pub queue: Arc<dyn DeliveryQueue>,
    /// Makes the attempts.
    pub sender: Arc<dyn WebhookSender>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Creates ids of leases and attempts.
    pub ids: Arc<dyn Ids>,
    /// Spreads retries.
    pub randomness: Arc<dyn Randomness>,
}

/// The options of the worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The most attempts at once, for all webhooks together.
    pub concurrency: u32,
    /// When failed deliveries are retried.
    pub schedule: RetrySchedule,
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Worker {
    /// Starts it on the current runtime.
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
        let peers = PeerSigns::start(instance, Arc::clone(&ports.queue), Arc::clone(&ports.clock));
        let work = Work {
            ports,
            options,
            signal,
            heartbeat,
            running: Running::default(),
            look_again: LOOK_AGAIN,
            is_unavailable: false,
            walk: Walk::default(),
            records_separately: false,
            peers,
        };
        Self { stop, task: tokio::spawn(work.run(stopped)) }
    }

    /// Stops it in order: at once when nothing runs, in less than 30 seconds in any case.
    pub async fn stop(self) {
        // This fails only when the task has ended already.
        self.stop.send(()).ok();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the delivery worker failed");
        }
    }
}

struct Work {
    ports: WorkerPorts,
    options: Arc<WorkerOptions>,
    signal: Arc<WorkerSignal>,
    heartbeat: Arc<Heartbeat>,
    running: Running,
    /// The next pause before the queue is read again when due deliveries were left to others.
    look_again: Duration,
    /// Whether the last access to the store failed.
    is_unavailable: bool,
    /// Where the next claim begins its walk.
    walk: Walk,
    records_separately: bool,
    peers: PeerSigns,
}

impl Work {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut is_due = true;
        loop {
            self.heartbeat.beat();
            self.release_unsent().await;
            self.record().await;
            self.peers.holds(self.running.len() > 0);
            let seen = if is_due { self.claim().await } else { None };
            is_due = tokio::select! {
                biased;
                _ = &mut stopped => break,
                is_due = self.pause(seen) => is_due,
            };
        }
        self.finish().await;
    }

    /// Waits until there may be work; returns true when something may be due.
    async fn pause(&mut self, seen: Option<Timestamp>) -> bool {
        if self.is_unavailable {
            sleep(LOOK_EVERY).await;
            return true;
        }
        self.running.gather().await;
        if !self.running.ended.is_empty() {
            // When attempts keep ending there is no pause, but another instance may have died.
            if self.peers.has_not_looked_for(WATCH_EVERY) {
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

    /// How long to wait at most, and whether something is due after that. A delivery that was already due at the last
    /// claim, and was left, belongs to a webhook that is at its limit, or that another instance was just claiming
    /// for. The latter is soon over; the former may last. So the waits grow until a claim succeeds again.
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
        let looked = self.peers.look(&self.ports).await;
        let (look, dead_in) = looked.map_err(|error| self.note_unavailable(&error)).ok()?;
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

    /// Claims due deliveries; returns the time up to which it has seen everything. A claim visits a bounded number of
    /// companies, so there may be several; when there are very many, attempts are recorded in between.
    async fn claim(&mut self) -> Option<Timestamp> {
        let now = self.ports.clock.now();
        for _ in 0..CLAIMS_IN_A_ROW {
            let Some(claim) = self.next_claim() else { return Some(now) };
            let started = Instant::now();
            let taken = match self.ports.queue.claim(claim).await {
                Ok(taken) => taken,
                Err(error) => {
                    self.note_unavailable(&error);
                    return Some(now);
                }
            };
            self.is_unavailable = false;
            self.walk = taken.walk;
            metrics::claimed(taken.claimed.len());
            if !taken.claimed.is_empty() {
                self.look_again = LOOK_AGAIN;
            }
            if started.elapsed() > SLOW_CLAIM {
                let held = taken.claimed.iter().map(held).collect();
                release(self.ports.queue.as_ref(), held).await;
                return Some(now);
            }
            for claimed in taken.claimed {
                self.running.start(&self.ports, &self.options, claimed, started);
            }
            self.peers.holds(self.running.len() > 0);
            if self.walk.after.is_none() {
                return Some(now);
            }
        }
        None
    }

    /// The next claim; `None` when all attempts are in use.
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
            instance: self.peers.instance,
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

    /// Releases deliveries that were not sent because this instance was stopped after its claim.
    async fn release_unsent(&mut self) {
        let unsent = std::mem::take(&mut self.running.unsent);
        release(self.ports.queue.as_ref(), unsent).await;
    }

    /// Records ended attempts in one transaction. If that fails, one of them may be the cause, so each is then
    /// recorded separately.
    async fn record(&mut self) {
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

    /// Logs once that the store is unavailable, until it is available again.
    fn note_unavailable(&mut self, error: &StoreError) {
        if !self.is_unavailable {
            tracing::warn!(?error, "the store is unavailable; deliveries wait");
        }
        self.is_unavailable = true;
    }

    async fn finish(mut self) {
        let until = Instant::now() + GRACE;
        self.running.end_all(until).await;
        self.record().await;
        while !self.running.ended.is_empty() && Instant::now() < until {
            sleep(LOOK_EVERY).await;
            self.record().await;
        }
        release(self.ports.queue.as_ref(), self.running.abort()).await;
        self.peers.end(self.ports.queue.as_ref()).await;
    }
}

async fn release(queue: &dyn DeliveryQueue, held: Vec<Held>) {
    if held.is_empty() {
        return;
    }
    tracing::warn!(count = held.len(), "claims are released without an attempt");
    if let Err(error) = queue.release(held).await {
        tracing::warn!(
            ?error,
            "the claims were not released; they are retried when their leases expire"
        );
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
