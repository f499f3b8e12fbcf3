//! Read the audit, and record actions that write nothing else.

use super::{AuditAction, AuditPage, AuditQuery, NewAuditEntry};
use crate::context::{AuditPorts, Context};
use crate::ids::{CompanyId, ContactId};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The entries of the caller's company, the newest first.
pub async fn list(
    cx: &Context<'_, AuditPorts>,
    query: AuditQuery,
) -> Result<AuditPage, StoreError> {
    cx.ports.audit.list_entries(cx.caller.company.id, query).await
}

/// Records that the caller exports contacts.
pub async fn record_export(cx: &Context<'_, AuditPorts>, at: Timestamp) -> Result<(), StoreError> {
    let entry = NewAuditEntry::of_many(&cx.author(), AuditAction::ContactsExported, at, &[]);
    cx.ports.audit.record_alone(entry).await
}

/// Records that the caller reads everything that is stored about a contact.
pub async fn record_contact_export(
    cx: &Context<'_, AuditPorts>,
    contact: ContactId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let action = AuditAction::ContactExported;
    let entry = NewAuditEntry::of(&cx.author(), action, contact.uuid(), at);
    cx.ports.audit.record_alone(entry).await
}

/// Records that the operator exports everything of a company.
pub async fn record_company_export(
    ports: &AuditPorts,
    company: CompanyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let action = AuditAction::CompanyExported;
    let entry = NewAuditEntry::of(&company.into(), action, company.uuid(), at);
    ports.audit.record_alone(entry).await
}
