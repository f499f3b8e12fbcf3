//! The port of the audit.

use async_trait::async_trait;

use contact_hub_domain::audit::{AuditPage, AuditQuery, AuditStore, NewAuditEntry};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{append, list, purge};
use crate::Storage;
use crate::units::{Reading, Writing};

#[async_trait]
impl AuditStore for Storage {
    async fn list_entries(
        &self,
        company: CompanyId,
        query: AuditQuery,
    ) -> Result<AuditPage, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            list::list(connection, company, &query)
        })
        .await
    }

    async fn record_alone(&self, entry: NewAuditEntry) -> Result<(), StoreError> {
        let company = entry.by.company;
        self.write(company, move |connection| append(connection, entry.clone())).await
    }

    async fn purge_old(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.write(Writing::Few, move |connection| purge::purge(connection, before, limit)).await
    }
}
