//! The store ports of alerts.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::{Alert, AlertChoices, NewAlert};
use crate::access::CompanyName;
use crate::author::Author;
use crate::email::Email;
use crate::ids::{CompanyId, LeaseId, UserId};
use crate::ports::{Ids, StoreError};
use crate::time::Timestamp;

/// Stores which alerts users get, and the alerts that have no other cause in the store.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AlertStore: Send + Sync {
    /// What a user chose.
    async fn choices(&self, company: CompanyId, user: UserId) -> Result<AlertChoices, StoreError>;

    /// Replaces these choices of a user of the author's company. Other kinds keep theirs.
    async fn choose(
        &self,
        by: Author,
        user: UserId,
        choices: AlertChoices,
        at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Stores an alert for its [`Recipients`](super::Recipients).
    async fn raise(&self, alert: NewAlert) -> Result<(), StoreError>;
}

/// The parameters of a claim of emails.
#[derive(Clone, Debug)]
pub struct ClaimMails {
    /// A new id, by which the worker later proves that it holds the emails.
    pub lease: LeaseId,
    /// New ids of batches, one for each email.
    pub batches: Vec<Uuid>,
    /// The current time.
    pub now: Timestamp,
    /// How long the alerts of a user are collected before they are sent.
    pub collect: Duration,
    /// How long the lease is valid.
    pub hold: Duration,
}

/// The parameters of creating events from alerts.
#[derive(Clone)]
pub struct AnnounceAlerts {
    /// Creates ids of events and deliveries.
    pub ids: Arc<dyn Ids>,
    /// The current time.
    pub now: Timestamp,
    /// The maximum number of alerts.
    pub limit: u32,
}

/// The claim of one email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldMail {
    /// The company.
    pub company: CompanyId,
    /// The user.
    pub user: UserId,
    /// The alerts that are sent together. Every attempt has the same.
    pub batch: Uuid,
    /// The lease.
    pub lease: LeaseId,
}

/// An email that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueMail {
    /// The claim.
    pub held: HeldMail,
    /// The user's address.
    pub to: Email,
    /// The name of the company.
    pub company: CompanyName,
    /// The alerts, the earliest first.
    pub alerts: Vec<Alert>,
    /// The number of this attempt.
    pub attempt: u32,
    /// When the first attempt began.
    pub first_attempt_at: Timestamp,
}

/// The queue of emails, for any number of instances.
///
/// An email is claimed with a lease, and no transaction stays open while it is sent. After a crash the lease ends, and
/// the same alerts are sent again with the same message id: at least once.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AlertQueue: Send + Sync {
    /// Whether [`claim`](Self::claim) may find something.
    async fn is_due(&self, now: Timestamp, collect: Duration) -> Result<bool, StoreError>;

    /// How many emails are due and not sent, counted up to this limit.
    async fn waiting(
        &self,
        now: Timestamp,
        collect: Duration,
        limit: u32,
    ) -> Result<u32, StoreError>;

    /// Claims the emails that are due. Two claims never hold the same one. Alerts of users who no longer exist are deleted.
    async fn claim(&self, claim: ClaimMails) -> Result<Vec<DueMail>, StoreError>;

    /// Deletes the alerts of a batch that was sent or given up. The user's next email collects alerts from this time
    /// on, which may be in the future. Does nothing if the lease is no longer held.
    async fn finish(&self, held: HeldMail, since: Timestamp) -> Result<(), StoreError>;

    /// Ends the lease of an email that was not sent. It becomes due again as if it had collected alerts since this
    /// moment. Does nothing if the lease is no longer held.
    async fn retry(&self, held: HeldMail, since: Timestamp) -> Result<(), StoreError>;

    /// Whether [`announce_alerts`](Self::announce_alerts) may find something.
    async fn has_events(&self) -> Result<bool, StoreError>;

    /// Creates events from alerts, each with a delivery to every subscribed webhook except the one that the alert is
    /// about. Each alert becomes one event, even if several instances call this at once. Returns how many alerts it
    /// processed.
    async fn announce_alerts(&self, new: AnnounceAlerts) -> Result<usize, StoreError>;

    /// Stores alerts for keys that expire within this time and have had no alert yet, for at most this many keys.
    /// Returns how many keys it looked at.
    async fn alert_of_keys(
        &self,
        now: Timestamp,
        within: Duration,
        limit: u32,
    ) -> Result<usize, StoreError>;
}
