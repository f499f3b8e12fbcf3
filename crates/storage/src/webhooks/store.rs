//! The management port.

use async_trait::async_trait;

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, DeliveryId, WebhookId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::activity::{HourlyOutcomes, WebhookActivity};
use contact_hub_domain::webhooks::{
    DeliveriesQuery, Delivery, DeliveryDetail, DeliverySearch, FoundDeliveries, NewSecret,
    ResendChoice, ResendOutcome, Resendable, SentTest, TestTarget, Webhook, WebhookChange,
    WebhookName, WebhookStore,
};

use super::{deliveries, outcomes, read, resend, resend_many, save, search, test_deliveries};
use crate::Storage;
use crate::audit;
use crate::recorded::Recorded;
use crate::room::hold_company;
use crate::units::{Reading, Writing};

#[async_trait]
impl WebhookStore for Storage {
    async fn create(
        &self,
        by: Author,
        webhook: Webhook,
        secret: NewSecret,
        max: usize,
    ) -> Result<bool, StoreError> {
        self.write(by.company, move |connection| {
            let is_stored = save::create(connection, &webhook, &secret, max)?;
            if !is_stored {
                return Ok(Recorded::unchanged(false));
            }
            let (id, at) = (webhook.id.uuid(), webhook.created_at);
            let entry = NewAuditEntry::of(&by, AuditAction::WebhookCreated, id, at);
            Ok(Recorded::by(audit::append(connection, &entry.with_new(&webhook))?, true))
        })
        .await
    }

    async fn read(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        self.read(Reading::For(company), move |connection| read::read(connection, company, id, now))
            .await
    }

    async fn list(
        &self,
        company: CompanyId,
        page: PageRequest,
        now: Timestamp,
    ) -> Result<Page<Webhook>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            read::list(connection, company, page, now)
        })
        .await
    }

    async fn names(&self, company: CompanyId) -> Result<Vec<(WebhookId, WebhookName)>, StoreError> {
        self.read(Reading::Many(company), move |connection| read::names(connection, company)).await
    }

    async fn change(
        &self,
        by: Author,
        id: WebhookId,
        change: WebhookChange,
        at: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        self.write(by.company, move |connection| save::change(connection, &by, id, &change, at))
            .await
    }

    async fn end_previous_secrets(
        &self,
        by: Author,
        id: WebhookId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(by.company, move |connection| {
            let exists = save::end_previous_secrets(connection, by.company, id)?;
            if !exists {
                return Ok(Recorded::unchanged(false));
            }
            let entry = NewAuditEntry::of(&by, AuditAction::WebhookSecretsEnded, id.uuid(), at);
            Ok(Recorded::by(audit::append(connection, &entry)?, true))
        })
        .await
    }

    async fn delete(&self, by: Author, id: WebhookId, at: Timestamp) -> Result<bool, StoreError> {
        self.write(by.company, move |connection| {
            let before = read::read(connection, by.company, id, at)?;
            let is_deleted = save::delete(connection, by.company, id, at)?;
            if !is_deleted {
                return Ok(Recorded::unchanged(false));
            }
            let entry = NewAuditEntry::of(&by, AuditAction::WebhookDeleted, id.uuid(), at);
            let entry = before.iter().fold(entry, NewAuditEntry::with_old);
            Ok(Recorded::by(audit::append(connection, &entry)?, true))
        })
        .await
    }

    async fn test_target(
        &self,
        company: CompanyId,
        id: WebhookId,
        now: Timestamp,
    ) -> Result<Option<TestTarget>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            read::test_target(connection, company, id, now)
        })
        .await
    }

    async fn record_test_delivery(&self, by: Author, test: SentTest) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !hold_company(connection, by.company)? {
                return Ok(Recorded::unchanged(false));
            }
            test_deliveries::record_test_delivery(connection, &test)?;
            let (id, at) = (test.delivery.webhook_id.uuid(), test.event.created_at);
            let entry = NewAuditEntry::of(&by, AuditAction::WebhookTested, id, at);
            Ok(Recorded::by(audit::append(connection, &entry)?, true))
        })
        .await
    }

    async fn outcomes(
        &self,
        company: CompanyId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<HourlyOutcomes>, StoreError> {
        self.read(Reading::OrderedMany(company), move |connection| {
            outcomes::of_company(connection, company, from, to)
        })
        .await
    }

    async fn activity(
        &self,
        company: CompanyId,
        webhooks: Vec<WebhookId>,
        from: Timestamp,
    ) -> Result<Vec<WebhookActivity>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            outcomes::of_webhooks(connection, company, &webhooks, from)
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

    async fn search_deliveries(
        &self,
        company: CompanyId,
        search: DeliverySearch,
    ) -> Result<FoundDeliveries, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            search::search(connection, company, &search)
        })
        .await
    }

    async fn read_delivery(
        &self,
        company: CompanyId,
        id: DeliveryId,
    ) -> Result<Option<DeliveryDetail>, StoreError> {
        self.read(Reading::SnapshotFor(company), move |connection| {
            deliveries::read(connection, company, id)
        })
        .await
    }

    async fn resend(
        &self,
        by: Author,
        id: DeliveryId,
        at: Timestamp,
    ) -> Result<ResendOutcome, StoreError> {
        self.write(by.company, move |connection| {
            let outcome = resend::resend(connection, by.company, id, at)?;
            let ResendOutcome::Accepted(_) = outcome else {
                return Ok(Recorded::unchanged(outcome));
            };
            let entry = NewAuditEntry::of(&by, AuditAction::DeliveryResent, id.uuid(), at);
            Ok(Recorded::by(audit::append(connection, &entry)?, outcome))
        })
        .await
    }

    async fn resendable(
        &self,
        company: CompanyId,
        choice: ResendChoice,
    ) -> Result<Resendable, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            resend_many::resendable(connection, company, &choice)
        })
        .await
    }

    async fn resend_many(
        &self,
        by: Author,
        ids: Vec<DeliveryId>,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        self.write(Writing::Many(by.company), move |connection| {
            let count = resend_many::resend_many(connection, by.company, &ids, at)?;
            if count == 0 {
                return Ok(Recorded::unchanged(0));
            }
            let (action, counts) = (AuditAction::DeliveriesResent, [("resent", count)]);
            let entry = NewAuditEntry::of_many(&by, action, at, &counts);
            Ok(Recorded::by(audit::append(connection, &entry)?, count))
        })
        .await
    }

    async fn recover(
        &self,
        by: Author,
        webhook: WebhookId,
        since: Timestamp,
        at: Timestamp,
    ) -> Result<Option<u64>, StoreError> {
        self.write(by.company, move |connection| {
            let recovered = resend::recover(connection, by.company, webhook, since, at)?;
            let Some(count) = recovered else { return Ok(Recorded::unchanged(None)) };
            let (action, counts) = (AuditAction::WebhookRecovered, [("recovered", count)]);
            let entry = NewAuditEntry::of_many(&by, action, at, &counts);
            let entry = NewAuditEntry { object: Some(webhook.uuid()), ..entry };
            Ok(Recorded::by(audit::append(connection, &entry)?, recovered))
        })
        .await
    }
}
