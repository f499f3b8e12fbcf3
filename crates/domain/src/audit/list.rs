//! Read the audit.

use super::{AuditPage, AuditQuery};
use crate::context::{AuditPorts, Context};
use crate::ports::StoreError;

/// The entries of the caller's company, the newest first.
pub async fn list(
    cx: &Context<'_, AuditPorts>,
    query: AuditQuery,
) -> Result<AuditPage, StoreError> {
    cx.ports.audit.list_entries(cx.caller.company.id, query).await
}
