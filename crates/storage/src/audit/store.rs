//! The port of the audit.

use async_trait::async_trait;

use contact_hub_domain::audit::{AuditPage, AuditQuery, AuditStore, NewAuditEntry};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::{append, list};
use crate::Storage;
use crate::recorded::Recorded;
use crate::units::Reading;

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
        self.write(company, move |connection| Ok(Recorded::by(append(connection, &entry)?, ())))
            .await
    }
}
