//! The ports of a worker: the queue of deliveries, a sender, and a signal that there is work.

use std::time::Duration;

use async_trait::async_trait;

use super::{
    Announced, Announcement, Attempt, AttemptResult, EventKind, Follower, Followers, HealthNews,
    NextStep, PayloadUrl, Sealed, Trigger,
};
use crate::ids::{CompanyId, DeliveryId, EventId, InstanceId, LeaseId, WebhookId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The maximum of attempts in progress for each webhook, over all instances.
pub const MAX_ATTEMPTS_AT_ONCE: u32 = 8;

/// The parameters of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A new id, by which the worker later proves that it holds the deliveries.
    pub lease: LeaseId,
    /// The instance that claims. A claim counts as a heartbeat.
    pub instance: InstanceId,
    /// The current time.
    pub now: Timestamp,
    /// The end of the lease.
    pub lease_until: Timestamp,
    /// The maximum number of deliveries.
    pub limit: u32,
    /// How many of them are reserved for companies that have nothing in progress.
    pub reserved: u32,
    /// The maximum in progress for each webhook, over all instances.
    pub per_webhook: u32,
    /// Deliveries that may be held beyond `per_webhook`.
    pub prefetch: Prefetch,
    /// The maximum of attempts in progress for each company in this instance.
    pub per_company: u32,
    /// The maximum in progress for each [`PayloadUrl::host`] in this instance.
    pub per_host: u32,
    /// The deliveries in progress in this instance for hosts that have many.
    pub hosts: Vec<(String, u32)>,
    /// The position at which the walk over companies and webhooks begins.
    pub walk: Walk,
}

/// Deliveries that are claimed before they can be attempted, so that attempts need not wait for the next claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefetch {
    /// The webhooks whose receivers keep up. Others get none, and neither do those of which another instance holds
    /// deliveries: otherwise the instances together could have more than `per_webhook` attempts in progress.
    pub webhooks: Vec<WebhookId>,
    /// The maximum for each of them, in addition to [`Claim::per_webhook`].
    pub per_webhook: u32,
    /// The maximum for each company, in addition to [`Claim::per_company`].
    pub per_company: u32,
}

/// A position in the walk over the companies and webhooks with open deliveries. A claim visits a bounded number of
/// companies, and a bounded number of webhooks of each. The next claim continues where it stopped, so all are visited
/// in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The company visited last; `None` at the beginning, and after the last company.
    pub after: Option<CompanyId>,
    /// The webhook visited last, for each company with further webhooks.
    pub within: Vec<(CompanyId, WebhookId)>,
}

/// The result of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The deliveries.
    pub claimed: Vec<Claimed>,
    /// The position at which the next claim begins.
    pub walk: Walk,
}

/// The result of looking ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The earliest moment at which a delivery becomes due or a lease ends; `None` when nothing is open. It may be in
    /// the past if no more may be in progress, or if the webhook is paused or was switched off.
    pub next_due: Option<Timestamp>,
    /// Whether [`DeliveryQueue::settle`] has work.
    pub is_unsettled: bool,
    /// The oldest of the last heartbeats of other instances that hold leases; `None` when there is none.
    pub oldest_sign: Option<Timestamp>,
    /// The newest of them.
    pub newest_sign: Option<Timestamp>,
}

/// The last heartbeats of instances that have died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead {
    /// The signs up to this moment.
    pub until: Timestamp,
    /// The signs from this moment on, written by an instance whose clock was ahead.
    pub from: Option<Timestamp>,
}

/// A delivery that a worker holds until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The company that it belongs to.
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
    /// The number of this attempt.
    pub number: u32,
    /// The number of retries of the schedule before it.
    pub retries: u32,
    /// The trigger of this attempt.
    pub trigger: Trigger,
    /// The address.
    pub url: PayloadUrl,
    /// The secrets that are valid now, the newest first.
    pub secrets: Vec<(WebhookSecretId, Sealed)>,
    /// The bytes to sign and send.
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
    /// The next step, by [`RetrySchedule::next_step`](super::RetrySchedule::next_step).
    pub next: NextStep,
}

/// The effect of recorded attempts on a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookNotice {
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The effect.
    pub news: HealthNews,
}

/// The deliveries that are due and waiting, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Their number, counted up to [`MAX_BACKLOG`].
    pub due: u64,
    /// When the first of them became due.
    pub since: Option<Timestamp>,
}

/// The maximum up to which a backlog is counted.
pub const MAX_BACKLOG: u32 = 100_000;

/// The queue of deliveries, for any number of workers in any number of instances.
///
/// A delivery is claimed with a lease, and no transaction stays open while it is sent. If the worker dies the lease
/// ends, and the delivery is claimed again with the same attempt number: it is sent at least once and never lost. If
/// the whole instance dies, the others notice that its heartbeats stop, and end its leases at once.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Claims deliveries that are due or whose lease has ended.
    ///
    /// Two claims never hold the same delivery. Companies alternate, and so do the webhooks of each. For one webhook
    /// the order is: deliveries that a person resent, first attempts, retries; and within each, older ones first. Each
    /// webhook has at most `per_webhook` in progress, and fewer while its receiver does not answer
    /// ([`Breaker`](super::Breaker)); one instance alone may hold more, by the claim's [`Prefetch`]. A webhook that is
    /// off gets only deliveries that a person triggered. A concurrent claim may hide a webhook, so a later claim may
    /// find more. The cost depends neither on the number of waiting deliveries nor on the number of waiting webhooks.
    async fn claim(&self, claim: Claim) -> Result<Taken, StoreError>;

    /// Records attempts in one transaction: the attempts, the states of the deliveries by [`settle`](super::settle()),
    /// and the webhooks' health by [`Health::observe`](super::Health::observe) and
    /// [`Breaker::observe`](super::Breaker::observe). If a webhook is switched off, its open deliveries become
    /// `skipped`. Deliveries that are no longer held under their lease are ignored.
    async fn record(&self, attempts: Vec<Recorded>) -> Result<Vec<WebhookNotice>, StoreError>;

    /// Looks ahead, with a few reads of indexes.
    async fn look(&self, instance: InstanceId) -> Result<Look, StoreError>;

    /// Writes a heartbeat of an instance that holds leases.
    async fn sign(&self, instance: InstanceId, at: Timestamp) -> Result<(), StoreError>;

    /// Removes an instance that no longer holds a lease.
    async fn leave(&self, instance: InstanceId) -> Result<(), StoreError>;

    /// Ends the leases of all other instances that have died, and removes these instances. Returns how many deliveries
    /// are due again.
    async fn take_over(&self, instance: InstanceId, dead: Dead) -> Result<u64, StoreError>;

    /// Corrects up to `limit` waiting deliveries that were written later than `now`, by a clock that was ahead: each
    /// keeps its delay, counted from `now`. Returns their number.
    async fn correct_due_times(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Applies pending settlements to up to `limit` rows: deliveries of a webhook that was switched off, deleted or
    /// recovered, payloads of a deleted one, and counts. It stops after this time. True when it changed something, so
    /// that there may be more. Any number of instances may call it at once, and after a crash the next call continues.
    async fn settle(&self, limit: u32, within: Duration) -> Result<bool, StoreError>;

    /// The deliveries that are due at this moment, including those whose lease has ended.
    async fn backlog(&self, now: Timestamp) -> Result<Backlog, StoreError>;

    /// Returns claimed deliveries that were not attempted; they are due at once. Deliveries that are no longer held are
    /// ignored.
    async fn release(&self, held: Vec<(DeliveryId, LeaseId)>) -> Result<(), StoreError>;

    /// Looks at followers of the feed after this one, a bounded number of them, and returns those for which an event can
    /// be made: the feed has entries after their cursor, and the first attempt at their last event has ended.
    async fn followers(&self, after: Option<Follower>) -> Result<Followers, StoreError>;

    /// Makes the next event of a follower with its delivery, and moves its cursor, in one transaction. An event has as
    /// many of the next entries as [`ChangesBatch`](super::ChangesBatch) takes. Each entry is in one event of the follower,
    /// even if several instances call this at once. A webhook that was unsubscribed still gets events of the entries from
    /// before.
    async fn announce(&self, announcement: Announcement) -> Result<Announced, StoreError>;

    /// Deletes up to `limit` deliveries that were closed before this moment, with their attempts, and the events
    /// without deliveries. Returns the number of deliveries. Open ones stay, however old.
    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

/// Makes one attempt.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Signs and sends the payload once, and returns the result. Every failure is a result.
    async fn send(&self, claimed: &Claimed) -> AttemptResult;
}

/// Signals the worker of this instance that a delivery may have become due.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait DeliverySignal: Send + Sync {
    /// Wakes the worker. It is called after the commit, never blocks, and may be called without need.
    fn wake(&self);
}
