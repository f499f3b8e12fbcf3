//! Create, read, list, change and delete integrations.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::{CompanyId, IntegrationId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::sync::{
    AssetType, ChangeOutcome, Integration, IntegrationChoice, IntegrationDraft,
};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::CancelReason;

use super::rows::{CHOICE, ChoiceRow, INTEGRATION, IntegrationRow, encode};
use super::syncs;
use crate::audit;
use crate::changes::append_closed;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::paged::paged;
use crate::recorded::Recorded;
use crate::room::{count_up_to, lock_own_company};
use crate::statement::{sql, statement};
use crate::webhooks;

pub(super) fn create(
    connection: &mut Connection,
    by: &Author,
    integration: &Integration,
    max: usize,
) -> Result<Recorded<bool>, Failure> {
    let company = by.company;
    lock_own_company(connection, company)?;
    let held = statement("integrations WHERE company_id = ?").bind(company);
    if count_up_to(connection, held, max)? >= max {
        return Ok(Recorded::unchanged(false));
    }
    let text = "INSERT INTO integrations (id, company_id, name, takes_emails, takes_landing_pages, \
         merge_tag_format, merge_tag_mapping, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(integration.id)
        .bind(company)
        .bind(integration.name.as_str())
        .bind(integration.asset_types.has(AssetType::Email))
        .bind(integration.asset_types.has(AssetType::LandingPage))
        .bind(integration.format.as_str())
        .bind(encode(&integration.mapping))
        .bind(integration.created_at)
        .bind(integration.updated_at);
    connection.execute(insert)?;
    let (id, at) = (integration.id.uuid(), integration.created_at);
    let entry = NewAuditEntry::of(by, AuditAction::IntegrationCreated, id, at);
    let entry = audit::append(connection, &entry.with_new(integration))?;
    Ok(Recorded::by(entry, true))
}

/// Reads the integration.
pub(super) fn find(
    connection: &mut Connection,
    company: CompanyId,
    id: IntegrationId,
    lock: Lock,
) -> Result<Option<Integration>, Failure> {
    let lock = lock.on(connection);
    let select =
        sql!("SELECT {} FROM integrations WHERE id = ? AND company_id = ?{}", INTEGRATION, lock);
    let row = connection.first::<IntegrationRow>(select.bind(id).bind(company))?;
    row.map(IntegrationRow::into_integration).transpose()
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    page: PageRequest,
) -> Result<Page<Integration>, Failure> {
    let integrations = statement("integrations WHERE company_id = ?").bind(company);
    let read = IntegrationRow::into_integration;
    paged(connection, page, INTEGRATION, &integrations, "created_at, id", read)
}

pub(super) fn choices(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<IntegrationChoice>, Failure> {
    let select =
        sql!("SELECT {} FROM integrations WHERE company_id = ? ORDER BY created_at, id", CHOICE);
    let rows: Vec<ChoiceRow> = connection.rows(select.bind(company))?;
    rows.into_iter().map(ChoiceRow::into_choice).collect()
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    id: IntegrationId,
    change: &IntegrationDraft,
    at: Timestamp,
) -> Result<Recorded<ChangeOutcome<Integration>>, Failure> {
    let company = by.company;
    let Some(before) = find(connection, company, id, Lock::ForNoKeyUpdate)? else {
        return Ok(Recorded::unchanged(ChangeOutcome::NotFound));
    };
    let after = match change.apply(&before, at) {
        Ok(after) => after,
        Err(violations) => return Ok(Recorded::unchanged(ChangeOutcome::Refused(violations))),
    };
    if after == before {
        return Ok(Recorded::unchanged(ChangeOutcome::Changed(after)));
    }
    update(connection, company, &after)?;
    let entry = NewAuditEntry::of(by, AuditAction::IntegrationUpdated, id.uuid(), at);
    let entry = audit::append(connection, &entry.with_changes(&before, &after))?;
    Ok(Recorded::by(entry, ChangeOutcome::Changed(after)))
}

fn update(
    connection: &mut Connection,
    company: CompanyId,
    integration: &Integration,
) -> Result<(), Failure> {
    let text = "UPDATE integrations SET name = ?, takes_emails = ?, takes_landing_pages = ?, \
         merge_tag_format = ?, merge_tag_mapping = ?, updated_at = ? WHERE id = ? AND company_id = ?";
    let update = statement(text)
        .bind(integration.name.as_str())
        .bind(integration.asset_types.has(AssetType::Email))
        .bind(integration.asset_types.has(AssetType::LandingPage))
        .bind(integration.format.as_str())
        .bind(encode(&integration.mapping))
        .bind(integration.updated_at)
        .bind(integration.id)
        .bind(company);
    connection.execute(update)?;
    Ok(())
}

/// Requests hold a lock on the integration, so no sync of it can begin during the deletion.
pub(super) fn delete(
    connection: &mut Connection,
    by: &Author,
    id: IntegrationId,
    at: Timestamp,
) -> Result<Recorded<bool>, Failure> {
    let company = by.company;
    let Some(before) = find(connection, company, id, Lock::ForUpdate)? else {
        return Ok(Recorded::unchanged(false));
    };
    let delete = statement("DELETE FROM integrations WHERE id = ? AND company_id = ?");
    connection.execute(delete.bind(id).bind(company))?;
    let withdrawn = syncs::withdraw(connection, company, id, at)?;
    let entries: Vec<_> =
        withdrawn.iter().map(|sync| NewEntry::sync_closed(by, sync, at)).collect();
    let _published = append_closed(connection, company, &entries)?;
    let entry = NewAuditEntry::of(by, AuditAction::IntegrationDeleted, id.uuid(), at);
    let entry = audit::append(connection, &entry.with_old(&before))?;
    let withdrawn: Vec<_> = withdrawn.iter().map(|sync| sync.id).collect();
    webhooks::cancel_for_syncs(
        connection,
        company,
        &withdrawn,
        CancelReason::IntegrationDeleted,
        at,
    )?;
    Ok(Recorded::by(entry, true))
}
