//! The attempts that run, and what has ended and is not recorded yet.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::ids::{AttemptId, DeliveryId, LeaseId};
use contact_hub_domain::webhooks::{Attempt, Claimed, Recorded};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};

use crate::meters::{self, InFlight};
use crate::{WorkerOptions, WorkerPorts};

/// How long attempts that were begun together are waited for, so that they are recorded together.
const GATHER: Duration = Duration::from_millis(5);

/// What is held under a lease.
pub(crate) type Held = (DeliveryId, LeaseId);

/// The attempts of one worker.
#[derive(Default)]
pub(crate) struct Running {
    tasks: JoinSet<Recorded>,
    /// What each task holds.
    held: HashMap<Id, Held>,
    /// What has ended and is not recorded yet.
    pub(crate) ended: Vec<Recorded>,
    /// How many attempts were begun since they were last gathered.
    begun: usize,
}

impl Running {
    /// How many deliveries the worker has on its hands.
    pub(crate) fn len(&self) -> usize {
        self.tasks.len().saturating_add(self.ended.len())
    }

    /// Begins an attempt.
    pub(crate) fn start(&mut self, ports: &WorkerPorts, options: &Arc<WorkerOptions>, it: Claimed) {
        let held = held(&it);
        let task = self.tasks.spawn(attempt(ports.clone(), Arc::clone(options), it));
        self.held.insert(task.id(), held);
        self.begun += 1;
    }

    /// Takes what has ended, and waits a moment for the rest of what was begun together.
    pub(crate) async fn gather(&mut self) {
        self.take_ended();
        let until = Instant::now() + GATHER;
        while self.ended.len() < self.begun && self.end_one(until).await {}
        self.begun = 0;
    }

    /// Waits for an attempt to end; for ever when none runs.
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

    /// Gives up what runs; tells what it held.
    pub(crate) fn give_up(self) -> Vec<Held> {
        self.held.into_values().collect()
    }

    /// Waits until this moment for one attempt to end; whether one did.
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

    fn take(&mut self, ended: Result<(Id, Recorded), JoinError>) {
        match ended {
            Ok((id, recorded)) => {
                self.held.remove(&id);
                self.ended.push(recorded);
            }
            // Its lease ends, and it is tried again.
            Err(error) => {
                self.held.remove(&error.id());
                tracing::error!(%error, "an attempt ended badly");
            }
        }
    }
}

/// What a claim holds.
pub(crate) const fn held(claimed: &Claimed) -> Held {
    (claimed.delivery_id, claimed.lease)
}

async fn attempt(ports: WorkerPorts, options: Arc<WorkerOptions>, claimed: Claimed) -> Recorded {
    let in_flight = InFlight::start();
    let result = ports.sender.send(&claimed).await;
    drop(in_flight);
    meters::count(&result);
    let next = options.schedule.next_step(&claimed, &result, ports.chance.bytes());
    let Claimed { delivery_id, lease, number, trigger, .. } = claimed;
    let id = AttemptId::new(ports.ids.next());
    Recorded { delivery_id, lease, attempt: Attempt { id, number, trigger, result }, next }
}
