//! The ports of alerts.

use std::slice;
use std::time::Duration;

use async_trait::async_trait;

use contact_hub_domain::alerts::{
    AlertChoices, AlertQueue, AlertStore, AnnounceAlerts, ClaimMails, DueMail, HeldMail, NewAlert,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{announce, choices, claim, keys, raise};
use crate::Storage;
use crate::access::lock_user;
use crate::audit;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

#[async_trait]
impl AlertStore for Storage {
    async fn choices(&self, company: CompanyId, user: UserId) -> Result<AlertChoices, StoreError> {
        self.read(Reading::For(company), move |connection| {
            choices::of_user(connection, company, user)
        })
        .await
    }

    async fn choose(
        &self,
        by: Author,
        user: UserId,
        choices: AlertChoices,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(by.company, move |connection| {
            if !lock_user(connection, Some(by.company), user)? {
                return Ok(Recorded::unchanged(()));
            }
            choices::store(connection, by.company, user, &choices)?;
            let entry = NewAuditEntry::of(&by, AuditAction::AlertsChanged, user.uuid(), at);
            Ok(Recorded::by(audit::append(connection, &entry)?, ()))
        })
        .await
    }

    async fn raise(&self, alert: NewAlert) -> Result<(), StoreError> {
        let company = alert.company;
        let unit = move |connection: &mut _| raise(connection, slice::from_ref(&alert));
        self.write_unrecorded(company, unit).await
    }
}

#[async_trait]
impl AlertQueue for Storage {
    async fn is_due(&self, now: Timestamp, collect: Duration) -> Result<bool, StoreError> {
        let since = now.minus(collect);
        self.read(Reading::Deliveries, move |connection| claim::is_due(connection, since)).await
    }

    async fn waiting(
        &self,
        now: Timestamp,
        collect: Duration,
        limit: u32,
    ) -> Result<u32, StoreError> {
        let since = now.minus(collect);
        let unit = move |connection: &mut _| claim::waiting(connection, since, limit);
        self.read(Reading::Deliveries, unit).await
    }

    async fn claim(&self, claim: ClaimMails) -> Result<Vec<DueMail>, StoreError> {
        let unit = move |connection: &mut _| claim::claim(connection, &claim);
        self.write_unrecorded(Writing::Deliveries, unit).await
    }

    async fn finish(&self, held: HeldMail, since: Timestamp) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| claim::finish(connection, held, since);
        self.write_unrecorded(Writing::Deliveries, unit).await
    }

    async fn retry(&self, held: HeldMail, since: Timestamp) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| claim::retry(connection, held, since);
        self.write_unrecorded(Writing::Deliveries, unit).await
    }

    async fn has_events(&self) -> Result<bool, StoreError> {
        self.read(Reading::Deliveries, announce::is_any).await
    }

    async fn announce_alerts(&self, new: AnnounceAlerts) -> Result<usize, StoreError> {
        let unit = move |connection: &mut _| announce::announce(connection, &new);
        self.write_unrecorded(Writing::Deliveries, unit).await
    }

    async fn alert_of_keys(
        &self,
        now: Timestamp,
        within: Duration,
        limit: u32,
    ) -> Result<usize, StoreError> {
        let until = now.plus(within);
        let unit = move |connection: &mut _| keys::alert_of_keys(connection, now, until, limit);
        self.write_unrecorded(Writing::Deliveries, unit).await
    }
}
