//! The store port of managing webhooks.

use async_trait::async_trait;

use super::activity::{HourlyOutcomes, WebhookActivity};
use super::{
    Attempt, DeliveriesQuery, Delivery, DeliveryDetail, DeliverySearch, Event, FoundDeliveries,
    NewSecret, PayloadUrl, ResendChoice, Resendable, Sealed, Webhook, WebhookChange, WebhookName,
};
use crate::author::Author;
use crate::ids::{CompanyId, DeliveryId, WebhookId, WebhookSecretId};
use crate::page::{Page, PageRequest};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The address and the secrets for a test event.
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
    /// The event.
    pub event: Event,
    /// The delivery, already closed.
    pub delivery: Delivery,
    /// The one attempt.
    pub attempt: Attempt,
}

/// The outcome of resending a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResendOutcome {
    /// The delivery, which will be attempted again.
    Accepted(Delivery),
    /// The company has no such delivery.
    NotFound,
    /// Its webhook was deleted.
    WebhookGone,
}

/// Stores the webhooks of all companies, and their deliveries.
///
/// Every call is limited to one company: another company's webhook or delivery does not exist.
///
/// The effects of switching off, deleting and recovering on deliveries are visible at once, and their cost does not
/// depend on the number of deliveries: [`DeliveryQueue::settle`](super::DeliveryQueue::settle) rewrites their rows
/// later.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Stores a new webhook with its secret; false when its company already has `max` webhooks. Concurrent calls never
    /// exceed `max`.
    async fn create(
        &self,
        by: Author,
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

    /// A page of the company's webhooks, oldest first, with the exact total, read at one moment.
    async fn list(
        &self,
        company: CompanyId,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<Page<Webhook>, StoreError>;

    /// The names of all webhooks, the oldest first. The limit on creating webhooks bounds their number.
    async fn names(&self, company: CompanyId) -> Result<Vec<(WebhookId, WebhookName)>, StoreError>;

    /// Changes a webhook by [`WebhookChange::apply`] and returns it; `None` when there is none. If the change switches
    /// it off, its open deliveries become `skipped`. At most [`MAX_PREVIOUS_SECRETS`] earlier secrets stay valid, none
    /// for longer than before.
    ///
    /// [`MAX_PREVIOUS_SECRETS`]: super::MAX_PREVIOUS_SECRETS
    async fn change(
        &self,
        by: Author,
        id: WebhookId,
        change: WebhookChange,
        at: Timestamp,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Ends all secrets but the current one; false when there is no such webhook.
    async fn end_previous_secrets(
        &self,
        by: Author,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes a webhook with its secrets, and the payloads that were sent to no other webhook. Its open deliveries
    /// become `cancelled` and stay visible. False when there is none.
    async fn delete(&self, by: Author, id: WebhookId, at: Timestamp) -> Result<bool, StoreError>;

    /// The target of a test event at this moment; `None` when there is no such webhook.
    async fn test_target(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<TestTarget>, StoreError>;

    /// Stores a test event with its delivery and attempt. It does not change the webhook's health. False when the company
    /// was deleted.
    async fn record_test_delivery(&self, by: Author, test: SentTest) -> Result<bool, StoreError>;

    /// The attempts at all webhooks for each hour from `from` until before `to` that has some, the earliest first.
    async fn outcomes(
        &self,
        company: CompanyId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<HourlyOutcomes>, StoreError>;

    /// The attempts at these webhooks since `from`, and the last attempt at each. Webhooks without attempts are left out.
    async fn activity(
        &self,
        company: CompanyId,
        webhooks: Vec<WebhookId>,
        from: Timestamp,
    ) -> Result<Vec<WebhookActivity>, StoreError>;

    /// A page of the company's deliveries, newest first, with the exact number of all that match, all read at one
    /// moment.
    async fn list_deliveries(
        &self,
        company: CompanyId,
        query: DeliveriesQuery,
    ) -> Result<Page<Delivery>, StoreError>;

    /// A page of the company's deliveries that meet the conditions, newest first, all read at one moment. Of those that
    /// meet the conditions with an index, only the newest [`SEARCHED`](super::SEARCHED) are checked against the other
    /// conditions.
    async fn search_deliveries(
        &self,
        company: CompanyId,
        search: DeliverySearch,
    ) -> Result<FoundDeliveries, StoreError>;

    /// A delivery with its payload and attempts.
    async fn read_delivery(
        &self,
        company: CompanyId,
        id: DeliveryId,
    ) -> Result<Option<DeliveryDetail>, StoreError>;

    /// Restarts a delivery in any state: it becomes pending and due at once, and its schedule begins anew. A delivery
    /// in progress is attempted again only if the running attempt fails.
    async fn resend(
        &self,
        by: Author,
        id: DeliveryId,
        at: Timestamp,
    ) -> Result<ResendOutcome, StoreError>;

    /// The deliveries of a choice, and which of them can be resent, the newest [`MAX_RESENT`](super::MAX_RESENT) at most.
    async fn resendable(
        &self,
        company: CompanyId,
        choice: ResendChoice,
    ) -> Result<Resendable, StoreError>;

    /// Restarts these deliveries as [`resend`](Self::resend) does, in one transaction, and returns how many. Unknown ones, and
    /// those whose webhooks were deleted, are left out.
    async fn resend_many(
        &self,
        by: Author,
        ids: Vec<DeliveryId>,
        at: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Restarts all deliveries of a webhook that became `exhausted` or `skipped` at `since` or later, except tests, and
    /// returns their number; `None` when there is no such webhook.
    async fn recover(
        &self,
        by: Author,
        webhook: WebhookId,
        since: Timestamp,
        at: Timestamp,
    ) -> Result<Option<u64>, StoreError>;
}
