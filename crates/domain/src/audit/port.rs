//! The store port of the audit. Entries are written by the stores of what they record.

use async_trait::async_trait;

use super::{AuditCursor, AuditEntry, AuditQuery, NewAuditEntry};
use crate::ids::CompanyId;
use crate::ports::StoreError;

/// Some entries of the audit.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    /// The entries, the newest first.
    pub entries: Vec<AuditEntry>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<AuditCursor>,
}

/// Stores the audits of all companies.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// The entries that match all conditions, the newest first.
    async fn list_entries(
        &self,
        company: CompanyId,
        query: AuditQuery,
    ) -> Result<AuditPage, StoreError>;

    /// Stores an entry of an action that changed nothing, such as an export.
    async fn record_alone(&self, entry: NewAuditEntry) -> Result<(), StoreError>;
}
