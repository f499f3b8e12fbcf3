//! The queue port.

use std::time::Duration;

use async_trait::async_trait;

use contact_hub_domain::ids::{DeliveryId, InstanceId, LeaseId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Announced, Announcement, Backlog, Claim, Dead, DeliveryQueue, Follower, Followers, Look,
    Recorded, Taken, WebhookNotice,
};

use super::{claims, due_times, followers, instances, leases, look, purge, record, settling};
use crate::Storage;
use crate::connection::Connection;
use crate::units::{Reading, Writing};

#[async_trait]
impl DeliveryQueue for Storage {
    async fn claim(&self, claim: Claim) -> Result<Taken, StoreError> {
        self.write_unrecorded(Writing::Claims, move |connection| claims::claim(connection, &claim))
            .await
    }

    async fn record(&self, attempts: Vec<Recorded>) -> Result<Vec<WebhookNotice>, StoreError> {
        self.write_unrecorded(Writing::Outcomes, move |connection| {
            record::record(connection, &attempts)
        })
        .await
    }

    async fn look(&self, instance: InstanceId) -> Result<Look, StoreError> {
        self.read(Reading::Deliveries, move |connection| look::look(connection, instance)).await
    }

    async fn sign(&self, instance: InstanceId, at: Timestamp) -> Result<(), StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            instances::sign(connection, instance, at)
        })
        .await
    }

    async fn leave(&self, instance: InstanceId) -> Result<(), StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            instances::leave(connection, instance)
        })
        .await
    }

    async fn take_over(&self, instance: InstanceId, dead: Dead) -> Result<u64, StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            instances::take_over(connection, instance, dead)
        })
        .await
    }

    async fn correct_due_times(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let ids = self
            .read(Reading::Deliveries, move |connection| {
                due_times::written_later(connection, now, limit)
            })
            .await?;
        if ids.is_empty() {
            return Ok(0);
        }
        let correct = move |connection: &mut Connection| due_times::correct(connection, &ids, now);
        self.write_unrecorded(Writing::Deliveries, correct).await
    }

    async fn settle(&self, limit: u32, within: Duration) -> Result<bool, StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            settling::settle(connection, limit, within)
        })
        .await
    }

    async fn backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.read(Reading::Deliveries, move |connection| look::backlog(connection, now)).await
    }

    async fn release(&self, held: Vec<(DeliveryId, LeaseId)>) -> Result<(), StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            leases::release(connection, &held)
        })
        .await
    }

    async fn followers(&self, after: Option<Follower>) -> Result<Followers, StoreError> {
        self.read(Reading::Deliveries, move |connection| followers::look(connection, after)).await
    }

    async fn announce(&self, announcement: Announcement) -> Result<Announced, StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            followers::announce(connection, &announcement)
        })
        .await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.write_unrecorded(Writing::Deliveries, move |connection| {
            purge::purge(connection, before, limit)
        })
        .await
    }
}
