//! The management port.

use async_trait::async_trait;

use contact_hub_domain::ids::{CompanyId, DeliveryId, WebhookId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    DeliveriesQuery, Delivery, DeliveryDetail, NewSecret, ResendOutcome, SentTest, TestTarget,
    Webhook, WebhookChange, WebhookName, WebhookStore,
};

use super::{deliveries, read, resend, save, test_deliveries};
use crate::Storage;
use crate::units::{Reading, Writing};

#[async_trait]
impl WebhookStore for Storage {
    async fn create(
        &self,
        webhook: Webhook,
        secret: NewSecret,
        max: usize,
    ) -> Result<bool, StoreError> {
        self.write(webhook.company, move |connection| {
            save::create(connection, &webhook, &secret, max)
        })
        .await
    }

    async fn read(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        self.read(Reading::Few, move |connection| read::read(connection, company, id, now)).await
    }

    async fn list(
        &self,
        company: CompanyId,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<Page<Webhook>, StoreError> {
        self.read(Reading::Snapshot, move |connection| read::list(connection, company, page, now))
            .await
    }

    async fn names(&self, company: CompanyId) -> Result<Vec<(WebhookId, WebhookName)>, StoreError> {
        self.read(Reading::Many(company), move |connection| read::names(connection, company)).await
    }

    async fn change(
        &self,
        company: CompanyId,
        id: WebhookId,
        change: WebhookChange,
        at: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        self.write(company, move |connection| save::change(connection, company, id, &change, at))
            .await
    }

    async fn end_previous_secrets(
        &self,
        company: CompanyId,
        id: WebhookId,
    ) -> Result<bool, StoreError> {
        self.write(company, move |connection| save::end_previous_secrets(connection, company, id))
            .await
    }

    async fn delete(
        &self,
        company: CompanyId,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(company, move |connection| save::delete(connection, company, id, at)).await
    }

    async fn test_target(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<TestTarget>, StoreError> {
        self.read(Reading::Snapshot, move |connection| {
            read::test_target(connection, company, id, now)
        })
        .await
    }

    async fn record_test_delivery(&self, test: SentTest) -> Result<(), StoreError> {
        self.write(Writing::Few, move |connection| {
            test_deliveries::record_test_delivery(connection, &test)
        })
        .await
    }

    async fn list_deliveries(
        &self,
        company: CompanyId,
        query: DeliveriesQuery,
    ) -> Result<Page<Delivery>, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            deliveries::list(connection, company, &query)
        })
        .await
    }

    async fn read_delivery(
        &self,
        company: CompanyId,
        id: DeliveryId,
    ) -> Result<Option<DeliveryDetail>, StoreError> {
        self.read(Reading::Snapshot, move |connection| deliveries::read(connection, company, id))
            .await
    }

    async fn resend(
        &self,
        company: CompanyId,
        id: DeliveryId,
        at: Timestamp,
    ) -> Result<ResendOutcome, StoreError> {
        self.write(company, move |connection| resend::resend(connection, company, id, at)).await
    }

    async fn recover(
        &self,
        company: CompanyId,
        webhook: WebhookId,
        since: Timestamp,
        at: Timestamp,
    ) -> Result<Option<u64>, StoreError> {
        self.write(company, move |connection| {
            resend::recover(connection, company, webhook, since, at)
        })
        .await
    }
}
