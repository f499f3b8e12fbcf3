//! What the webhooks capability asks of a store that is managed by people.

use async_trait::async_trait;

use super::{
    Attempt, DeliveriesQuery, Delivery, DeliveryDetail, Event, NewSecret, PayloadUrl, Sealed,
    Webhook, WebhookChange, WebhookName,
};
use crate::ids::{CompanyId, DeliveryId, WebhookId, WebhookSecretId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// Where a test event is sent, and with what it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestTarget {
    /// The address.
    pub url: PayloadUrl,
    /// The valid secrets, the newest first.
    pub secrets: Vec<(WebhookSecretId, Sealed)>,
}

/// A test event that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SentTest {
    /// What was sent.
    pub event: Event,
    /// Closed already.
    pub delivery: Delivery,
    /// The one attempt.
    pub attempt: Attempt,
}

/// What came of asking for another attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResendOutcome {
    /// It will be made; this is the delivery.
    Accepted(Delivery),
    /// The company has no such delivery.
    NotFound,
    /// Its webhook was deleted.
    WebhookGone,
}

/// Keeps the webhooks of every company, and what was delivered to them.
///
/// Everything is asked for by company: another company's webhook or delivery does not exist.
///
/// What switching off, deleting and recovering do to deliveries is seen at once, and costs the same however many there
/// are: [`DeliveryQueue::settle`](super::DeliveryQueue::settle) rewrites their rows later.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Stores a new webhook with its secret; false when its company already has `max` webhooks. Concurrent calls never
    /// exceed `max`.
    async fn create(
        &self,
        webhook: Webhook,
        secret: NewSecret,
        max: usize,
    ) -> Result<bool, StoreError>;

    /// The webhook.
    async fn read(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError>;

    /// A page of the company's webhooks, oldest first, with the exact number of all of them, as of one moment.
    async fn list(
        &self,
        company: CompanyId,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<Page<Webhook>, StoreError>;

    /// The names of all webhooks, the oldest first. The limit on creating webhooks bounds their number.
    async fn names(&self, company: CompanyId) -> Result<Vec<(WebhookId, WebhookName)>, StoreError>;

    /// Changes a webhook by [`WebhookChange::apply`] and returns it; `None` when there is none. One that is switched off by it leaves its
    /// open deliveries `skipped`. Of the secrets before a rotation at most [`MAX_PREVIOUS_SECRETS`] stay valid, none
    /// for longer than it was.
    ///
    /// [`MAX_PREVIOUS_SECRETS`]: super::MAX_PREVIOUS_SECRETS
    async fn change(
        &self,
        company: CompanyId,
        id: WebhookId,
        change: WebhookChange,
        at: Timestamp,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Ends all secrets but the current one; false when there is no such webhook.
    async fn end_previous_secrets(
        &self,
        company: CompanyId,
        id: WebhookId,
    ) -> Result<bool, StoreError>;

    /// Deletes a webhook with its secrets, and the payloads that went to no other one; its open deliveries become
    /// `cancelled` and stay to be seen. False when there is none.
    async fn delete(
        &self,
        company: CompanyId,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Where a test event would be sent now; `None` when there is no such webhook.
    async fn test_target(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<TestTarget>, StoreError>;

    /// Stores a test event with its delivery and attempt. It leaves the webhook's health as it is.
    async fn record_test_delivery(&self, test: SentTest) -> Result<(), StoreError>;

    /// A page of the company's deliveries, newest first, with the exact number of all that match, as of one moment.
    async fn list_deliveries(
        &self,
        company: CompanyId,
        query: DeliveriesQuery,
    ) -> Result<Page<Delivery>, StoreError>;

    /// A delivery with its payload and attempts.
    async fn read_delivery(
        &self,
        company: CompanyId,
        id: DeliveryId,
    ) -> Result<Option<DeliveryDetail>, StoreError>;

    /// Sets a delivery going again, whatever its state: pending, due at once, its schedule begun anew. One that is in
    /// progress is tried again only if the running attempt fails.
    async fn resend(
        &self,
        company: CompanyId,
        id: DeliveryId,
        at: Timestamp,
    ) -> Result<ResendOutcome, StoreError>;

    /// Sets every delivery of a webhook going again that became `exhausted` or `skipped` at `since` or later, tests left
    /// out, and tells how many; `None` when there is no such webhook.
    async fn recover(
        &self,
        company: CompanyId,
        webhook: WebhookId,
        since: Timestamp,
        at: Timestamp,
    ) -> Result<Option<u64>, StoreError>;
}
