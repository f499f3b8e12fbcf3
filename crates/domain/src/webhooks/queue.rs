//! What a worker asks of the outside: the queue of deliveries, a sender, and a signal that there is work.

use std::time::Duration;

use async_trait::async_trait;

use super::{Attempt, AttemptResult, EventKind, HealthNews, NextStep, PayloadUrl, Sealed, Trigger};
use crate::ids::{CompanyId, DeliveryId, EventId, InstanceId, LeaseId, WebhookId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How many attempts at once there are for each webhook, over all instances.
pub const MAX_ATTEMPTS_AT_ONCE: u32 = 8;

/// What a worker wants to take on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A fresh id, by which the worker shows later that it holds what it claimed.
    pub lease: LeaseId,
    /// Who claims. What is claimed counts as its sign of life.
    pub instance: InstanceId,
    /// The present moment.
    pub now: Timestamp,
    /// Until when nobody else takes on what is claimed.
    pub lease_until: Timestamp,
    /// The most deliveries.
    pub limit: u32,
    /// How many of them are kept for companies that have nothing in progress.
    pub reserved: u32,
    /// The most that may be in progress for each webhook, over all instances.
    pub per_webhook: u32,
    /// The most that may be in progress for each company in this instance.
    pub per_company: u32,
    /// The most that may be in progress for each [`PayloadUrl::host`] in this instance.
    pub per_host: u32,
    /// How much this instance has in progress for hosts that have much of it.
    pub hosts: Vec<(String, u32)>,
    /// Where the walk among companies and webhooks begins.
    pub walk: Walk,
}

/// A place in the walk among those who have something open. A claim visits a bounded number of companies, and a bounded
/// number of webhooks of each; the next claim goes on where it stopped, so everyone is visited in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The company visited last; `None` at the beginning, and after the last company.
    pub after: Option<CompanyId>,
    /// The webhook visited last, of each company that has more of them.
    pub within: Vec<(CompanyId, WebhookId)>,
}

/// What a claim has taken on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The deliveries.
    pub claimed: Vec<Claimed>,
    /// Where the next claim begins.
    pub walk: Walk,
}

/// What a look at the queue shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The earliest moment at which a delivery falls due or a lease ends; `None` when nothing is open. It may have
    /// passed, when nothing more may be in progress, or when its webhook is paused or was switched off.
    pub next_due: Option<Timestamp>,
    /// Whether [`DeliveryQueue::settle`] has something to do.
    pub is_unsettled: bool,
    /// The oldest last sign of life of another instance that holds leases; `None` when there is none.
    pub oldest_sign: Option<Timestamp>,
    /// The newest one.
    pub newest_sign: Option<Timestamp>,
}

/// The last signs of life of instances that have died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead {
    /// Those up to this moment.
    pub until: Timestamp,
    /// Those from this moment on, which an instance gave whose clock was ahead.
    pub from: Option<Timestamp>,
}

/// A delivery that a worker holds until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Whose it is.
    pub company: CompanyId,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// The claim's lease.
    pub lease: LeaseId,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The event, the same on every attempt.
    pub event_id: EventId,
    /// The kind of the event.
    pub kind: EventKind,
    /// The number that this attempt will have.
    pub number: u32,
    /// How many retries of the schedule there were before it.
    pub retries: u32,
    /// What makes this attempt happen.
    pub trigger: Trigger,
    /// Where to.
    pub url: PayloadUrl,
    /// The secrets that are valid now, the newest first.
    pub secrets: Vec<(WebhookSecretId, Sealed)>,
    /// What is signed and sent, byte by byte.
    pub payload: String,
}

/// An attempt at a claimed delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// The lease under which it was claimed.
    pub lease: LeaseId,
    /// The attempt.
    pub attempt: Attempt,
    /// What follows by [`RetrySchedule::next_step`](super::RetrySchedule::next_step).
    pub next: NextStep,
}

/// What recorded attempts did to a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookNotice {
    /// Which webhook.
    pub webhook_id: WebhookId,
    /// What it was.
    pub news: HealthNews,
}

/// What is due and waits, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many deliveries, counted up to [`MAX_BACKLOG`].
    pub due: u64,
    /// Since when the first of them is due.
    pub since: Option<Timestamp>,
}

/// Up to where a backlog is counted.
pub const MAX_BACKLOG: u32 = 100_000;

/// Keeps the deliveries that are due, for any number of workers in any number of instances.
///
/// A delivery is claimed with a lease and no transaction stays open while it is sent. When the worker dies the lease
/// ends, and the delivery is claimed again under the number that it had: at least once, never lost. When its whole
/// instance dies the others see that its signs of life stay away, and end its leases at once.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Claims deliveries that are due, and such whose lease has ended.
    ///
    /// No two claims ever hold one delivery. Companies take turns, and the webhooks of each. Of one webhook what a person
    /// resent stands first, then first tries, then retries, old ones ahead of young ones; each webhook has at most
    /// `per_webhook` in progress, and fewer while its receiver does not answer ([`Breaker`](super::Breaker)). A webhook
    /// that is off gets only what a person asked for. Another claim that runs at the same time may hide a webhook, so a
    /// later one may find more. The cost depends neither on how much waits nor on how many webhooks wait.
    async fn claim(&self, claim: Claim) -> Result<Taken, StoreError>;

    /// Records attempts, all or none: the attempts, where the deliveries stand by [`settle`](super::settle()), and the
    /// webhooks' health by [`Health::observe`](super::Health::observe) and
    /// [`Breaker::observe`](super::Breaker::observe). One that is switched off by it leaves its open deliveries `skipped`.
    /// What is no longer held under its lease is left out.
    async fn record(&self, attempts: Vec<Recorded>) -> Result<Vec<WebhookNotice>, StoreError>;

    /// Looks ahead. It costs a few looks into indexes.
    async fn look(&self, instance: InstanceId) -> Result<Look, StoreError>;

    /// Notes a sign of life of an instance that holds leases.
    async fn sign(&self, instance: InstanceId, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets an instance that holds no lease any more.
    async fn leave(&self, instance: InstanceId) -> Result<(), StoreError>;

    /// Ends the leases of all other instances that have died, and forgets these instances; returns how many deliveries
    /// are due again for it.
    async fn take_over(
        &self,
        instance: InstanceId,
        dead: Dead,
        now: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Corrects up to `limit` waiting deliveries that were written later than `now`, by a clock that was ahead: each
    /// becomes due as long after `now` as it was to be after it was written. Returns how many there were.
    async fn correct_due_times(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Rewrites up to `limit` rows of what already counts: deliveries of a webhook that was switched off, deleted or
    /// recovered, payloads of a deleted one, and counts. It ends early once this time has passed. True when it did
    /// something, so that there may be more. Any number of instances may do it at once, and a crash leaves the rest to the
    /// next call.
    async fn settle(&self, limit: u32, within: Duration) -> Result<bool, StoreError>;

    /// What is due at this moment, with what a crash left in progress.
    async fn backlog(&self, now: Timestamp) -> Result<Backlog, StoreError>;

    /// Gives back what was claimed and not tried, due at once as before. What is no longer held is left out.
    async fn release(&self, held: Vec<(DeliveryId, LeaseId)>) -> Result<(), StoreError>;

    /// Deletes up to `limit` deliveries that were closed before this moment, with their attempts, and the events that
    /// no delivery needs any more; tells how many deliveries. Open ones stay, however old.
    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

/// Makes one attempt.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Signs and sends the payload, once, and tells what came of it. Every failure is a result.
    async fn send(&self, claimed: &Claimed) -> AttemptResult;
}

/// Tells the worker of this instance that a delivery may have fallen due.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait DeliverySignal: Send + Sync {
    /// Wakes it. It is called after the commit, never blocks, and may be called for nothing.
    fn wake(&self);
}
