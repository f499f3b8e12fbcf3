//! The worker: claims due deliveries, sends them, and records the outcomes.
//!
//! # The life of a delivery
//!
//! *Writing.* The transaction that causes an event also writes it, with one delivery for each webhook, and wakes the
//! worker after the commit. A lost wake costs at most a second: the worker also polls.
//!
//! *Claiming.* This loop, in any number of instances. A claim is one short transaction that takes many deliveries under
//! a lease that is longer than an attempt can last. No transaction is open during an attempt.
//!
//! *Sending.* Each delivery is sent by a separate task, so a slow receiver does not delay others. At most
//! `MAX_ATTEMPTS_AT_ONCE` run for one webhook and [`WorkerOptions::concurrency`] in total. A company or a host gets a
//! share of these, and some are reserved for companies that have nothing in progress. While a receiver keeps up, further
//! deliveries are claimed ahead and wait in its [lane](crate::lanes), so that its attempts continue during a record and
//! a claim.
//!
//! *Recording.* This loop records all attempts that have ended by then, in one transaction. Then it claims again,
//! without waiting for the other attempts.
//!
//! *After a crash.* Another instance, or this one after a restart, notices that the heartbeats are missing and ends
//! the leases ([`PeerHeartbeats`]). The deliveries are claimed again, with the same attempt number, since an attempt counts
//! only once it is recorded. An attempt whose record was lost is repeated with the same event id, by which the
//! receiver recognises it. So delivery is at least once.
//!
//! *After a shutdown.* Nothing remains: the worker stops claiming, lets running attempts end, records them, and
//! releases those that did not end in time.

mod claiming;
mod recording;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Walk;
use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use self::claiming::release;
use crate::peer_heartbeats::PeerHeartbeats;
use crate::running::Running;
use crate::worker_ports::{WorkerOptions, WorkerPorts};
use crate::{Heartbeat, WorkerSignal};

/// The longest time between two looks at the queue.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The shortest time before the queue is read again when due deliveries were left to others.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long running attempts may take to end once the worker stops.
const GRACE: Duration = Duration::from_secs(25);

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
        let peers =
            PeerHeartbeats::start(instance, Arc::clone(&ports.queue), Arc::clone(&ports.clock));
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
        Self { stop, task: tokio::spawn(work.run(stopped).boxed()) }
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
    peers: PeerHeartbeats,
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
        self.release_unsent().await;
        release(self.ports.queue.as_ref(), self.running.abort()).await;
        self.peers.end(self.ports.queue.as_ref()).await;
    }
}

#[cfg(test)]
mod tests;
