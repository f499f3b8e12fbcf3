//! The running attempts, and those that have ended and are not recorded yet.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::{AttemptId, DeliveryId, LeaseId, WebhookId};
use contact_hub_domain::webhooks::{Attempt, Claimed, Recorded};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};

use crate::lanes::{Lane, Lanes, Turn};
use crate::metrics::{self, InFlight};
use crate::peer_heartbeats::DEAD_AFTER;
use crate::worker_ports::{WorkerOptions, WorkerPorts};

/// How long to wait for attempts that were started together, so that one transaction records them.
const GATHER: Duration = Duration::from_millis(5);

/// The longest time between two attempts that end one after the other.
const NEXT: Duration = Duration::from_millis(1);

/// A delivery and the lease under which it is held.
pub(crate) type Held = (DeliveryId, LeaseId);

/// The attempts of one worker.
#[derive(Default)]
pub(crate) struct Running {
    tasks: JoinSet<Result<Recorded, Held>>,
    /// What each task sends.
    sent: HashMap<Id, Sent>,
    /// How many tasks send to each host.
    hosts: HashMap<String, u32>,
    lanes: Lanes,
    /// Attempts that have ended and are not recorded yet.
    pub(crate) ended: Vec<Recorded>,
    /// Deliveries that were not sent, because too much time had passed since their claim, or because their receiver
    /// did not keep up.
    pub(crate) unsent: Vec<Held>,
    /// How many attempts began at once since the last [`Self::gather`].
    begun: usize,
}

struct Sent {
    held: Held,
    host: String,
    webhook: WebhookId,
}

impl Running {
    /// How many deliveries the worker holds.
    pub(crate) fn len(&self) -> usize {
        self.tasks.len().saturating_add(self.ended.len())
    }

    /// Starts an attempt at a delivery that was claimed at this moment.
    pub(crate) fn start(
        &mut self,
        ports: &WorkerPorts,
        options: &Arc<WorkerOptions>,
        it: Claimed,
        claimed_at: Instant,
    ) {
        let (held, host, webhook) = (held(&it), it.url.host(), it.webhook_id);
        let lane = self.lanes.enter(webhook);
        let turn = lane.turn();
        if matches!(turn, Turn::Now(_)) {
            self.begun += 1;
        }
        let attempt = attempt(ports.clone(), Arc::clone(options), it, claimed_at, lane, turn);
        let task = self.tasks.spawn(attempt);
        *self.hosts.entry(host.clone()).or_default() += 1;
        self.sent.insert(task.id(), Sent { held, host, webhook });
    }

    /// The webhooks of which deliveries may be claimed ahead.
    pub(crate) fn keeping_up(&self) -> Vec<WebhookId> {
        self.lanes.keeping_up()
    }

    /// Forgets the webhooks of which nothing is held.
    pub(crate) fn forget_empty(&mut self) {
        self.lanes.forget_empty();
    }

    /// The hosts with at least this many running attempts, each with their number.
    pub(crate) fn hosts_from(&self, least: u32) -> Vec<(String, u32)> {
        let many = self.hosts.iter().filter(|(_, number)| **number >= least);
        many.map(|(host, number)| (host.clone(), *number)).collect()
    }

    /// Collects the attempts that have ended, and waits briefly for those that were started together, and for half of
    /// those at receivers that keep up while one after the other ends. The other half is sent during the record and the
    /// claim.
    pub(crate) async fn gather(&mut self) {
        self.take_ended();
        let until = Instant::now() + GATHER;
        let enough = self.lanes.held_by_quick().saturating_add(self.ended.len()) / 2;
        while self.ended.len() < self.begun && self.end_one(until).await {}
        while self.ended.len() < enough && self.end_one(until.min(Instant::now() + NEXT)).await {}
        self.begun = 0;
    }

    /// Waits for an attempt to end; forever if none runs.
    pub(crate) async fn end_any(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.take(ended),
            None => std::future::pending().await,
        }
        self.take_ended();
    }

    /// Waits until this moment for all attempts to end.
    pub(crate) async fn end_all(&mut self, until: Instant) {
        while self.end_one(until).await {}
    }

    /// Aborts the running attempts; returns the deliveries that they held.
    pub(crate) fn abort(self) -> Vec<Held> {
        self.sent.into_values().map(|sent| sent.held).collect()
    }

    /// Waits until this moment for one attempt to end; returns whether one did.
    async fn end_one(&mut self, until: Instant) -> bool {
        let Ok(Some(ended)) = timeout_at(until, self.tasks.join_next_with_id()).await else {
            return false;
        };
        self.take(ended);
        true
    }

    fn take_ended(&mut self) {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.take(ended);
        }
    }

    fn let_go(&mut self, task: Id) {
        let Some(sent) = self.sent.remove(&task) else { return };
        self.lanes.leave(sent.webhook);
        if let Entry::Occupied(mut number) = self.hosts.entry(sent.host) {
            *number.get_mut() = number.get().saturating_sub(1);
            if *number.get() == 0 {
                number.remove();
            }
        }
    }

    fn take(&mut self, ended: Result<(Id, Result<Recorded, Held>), JoinError>) {
        match ended {
            Ok((id, Ok(recorded))) => {
                self.let_go(id);
                self.ended.push(recorded);
            }
            Ok((id, Err(unsent))) => {
                self.let_go(id);
                self.unsent.push(unsent);
            }
            // Its lease expires, and it is retried.
            Err(error) => {
                self.let_go(error.id());
                tracing::error!(%error, "the task of an attempt failed");
            }
        }
    }
}

/// The delivery and lease of a claim.
pub(crate) const fn held(claimed: &Claimed) -> Held {
    (claimed.delivery_id, claimed.lease)
}

async fn attempt(
    ports: WorkerPorts,
    options: Arc<WorkerOptions>,
    claimed: Claimed,
    claimed_at: Instant,
    lane: Arc<Lane>,
    turn: Turn,
) -> Result<Recorded, Held> {
    let permit = lane.permit(turn).await.filter(|_| claimed_at.elapsed() <= DEAD_AFTER);
    let Some(permit) = permit else { return Err(held(&claimed)) };
    let in_flight = InFlight::start();
    let result = ports.sender.send(&claimed).await;
    drop(in_flight);
    lane.note(&result);
    drop(permit);
    metrics::count(&result);
    let next = options.schedule.next_step(&claimed, &result, ports.randomness.bytes());
    let Claimed { delivery_id, lease, number, trigger, .. } = claimed;
    let id = AttemptId::new(ports.ids.next());
    let attempt = Attempt { id, number, trigger, result };
    Ok(Recorded { delivery_id, lease, attempt, next })
}
