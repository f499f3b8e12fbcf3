//! The queue's port.

use async_trait::async_trait;

use contact_hub_domain::ids::{DeliveryId, LeaseId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Backlog, Claim, Claimed, DeliveryQueue, Recorded, WebhookNotice,
};

use super::{claim, purge, record};
use crate::Storage;

#[async_trait]
impl DeliveryQueue for Storage {
    async fn claim(&self, claim: Claim) -> Result<Vec<Claimed>, StoreError> {
        self.write_deliveries(move |connection| claim::claim(connection, &claim)).await
    }

    async fn record(&self, attempts: Vec<Recorded>) -> Result<Vec<WebhookNotice>, StoreError> {
        self.write_deliveries(move |connection| record::record(connection, &attempts)).await
    }

    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read_deliveries(purge::next_due).await
    }

    async fn backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.read_deliveries(move |connection| purge::backlog(connection, now)).await
    }

    async fn release(&self, held: Vec<(DeliveryId, LeaseId)>) -> Result<(), StoreError> {
        self.write_deliveries(move |connection| purge::release(connection, &held)).await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.write_deliveries(move |connection| purge::purge(connection, before, limit)).await
    }
}
