//! Create, read, list, change and delete assets.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::{AssetId, CompanyId, SyncId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::sync::{
    Asset, AssetChange, AssetDetail, AssetSummary, ChangeOutcome, SyncStatus,
};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::CancelReason;

use super::rows::{AssetRow, BODY, SUMMARY, SummaryRow};
use super::syncs;
use crate::audit;
use crate::changes::append_closed;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::paged::{paged, total};
use crate::recorded::Recorded;
use crate::statement::{sql, statement};
use crate::webhooks;

/// The state of the asset's latest sync.
const LATEST_STATE: &str = "(SELECT syncs.state FROM syncs \
     WHERE syncs.company_id = assets.company_id AND syncs.asset_id = assets.id \
     ORDER BY syncs.requested_at DESC, syncs.id DESC LIMIT 1) AS sync_state";

pub(super) fn create(
    connection: &mut Connection,
    by: &Author,
    asset: &Asset,
) -> Result<Recorded<()>, Failure> {
    let company = by.company;
    let text = "INSERT INTO assets (id, company_id, name, type, subject, preheader, html, text, text_is_made, \
         created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(asset.id)
        .bind(company)
        .bind(asset.name.as_str())
        .bind(asset.form.kind().as_str())
        .bind(asset.form.subject().map(str::to_owned))
        .bind(asset.form.preheader().map(str::to_owned))
        .bind(asset.html.as_str())
        .bind(asset.text.text.as_str())
        .bind(asset.text.is_made)
        .bind(asset.created_at)
        .bind(asset.updated_at);
    connection.execute(insert)?;
    let (id, at) = (asset.id.uuid(), asset.created_at);
    let entry = NewAuditEntry::of(by, AuditAction::AssetCreated, id, at);
    Ok(Recorded::by(audit::append(connection, &entry.with_new(asset))?, ()))
}

pub(super) fn read(
    connection: &mut Connection,
    company: CompanyId,
    id: AssetId,
) -> Result<Option<AssetDetail>, Failure> {
    match find(connection, company, id, Lock::None)? {
        Some((asset, status)) => detail(connection, company, asset, status).map(Some),
        None => Ok(None),
    }
}

fn detail(
    connection: &mut Connection,
    company: CompanyId,
    asset: Asset,
    sync_status: Option<SyncStatus>,
) -> Result<AssetDetail, Failure> {
    let latest_syncs = syncs::latest_of_integrations(connection, company, asset.id)?;
    Ok(AssetDetail { asset, latest_syncs, sync_status })
}

/// Reads the asset, and the status of its latest sync.
pub(super) fn find(
    connection: &mut Connection,
    company: CompanyId,
    id: AssetId,
    lock: Lock,
) -> Result<Option<(Asset, Option<SyncStatus>)>, Failure> {
    let lock = lock.on(connection);
    let select = sql!(
        "SELECT {}, {}, {} FROM assets WHERE id = ? AND company_id = ?{}",
        SUMMARY,
        BODY,
        LATEST_STATE,
        lock
    );
    let row = connection.first::<AssetRow>(select.bind(id).bind(company))?;
    row.map(AssetRow::into_asset).transpose()
}

/// Locks an asset for a change of its syncs; returns whether the company has it.
pub(super) fn lock(
    connection: &mut Connection,
    company: CompanyId,
    id: AssetId,
) -> Result<bool, Failure> {
    let lock = Lock::ForNoKeyUpdate.on(connection);
    let select = sql!("SELECT id FROM assets WHERE id = ? AND company_id = ?{}", lock);
    Ok(connection.first::<IdRow>(select.bind(id).bind(company))?.is_some())
}

/// Whether the company has the asset.
pub(super) fn exists(
    connection: &mut Connection,
    company: CompanyId,
    id: AssetId,
) -> Result<bool, Failure> {
    let count = statement("SELECT count(*) AS total FROM assets WHERE id = ? AND company_id = ?");
    Ok(total(connection, count.bind(id).bind(company))? > 0)
}

pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    page: PageRequest,
) -> Result<Page<AssetSummary>, Failure> {
    let columns = sql!("{}, {}", SUMMARY, LATEST_STATE);
    let assets = statement("assets WHERE company_id = ?").bind(company);
    paged(connection, page, columns, &assets, "created_at, id", SummaryRow::into_summary)
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    id: AssetId,
    change: &AssetChange,
    at: Timestamp,
) -> Result<Recorded<ChangeOutcome<AssetDetail>>, Failure> {
    let company = by.company;
    let found = find(connection, company, id, Lock::ForNoKeyUpdate)?;
    let Some((before, status)) = found else {
        return Ok(Recorded::unchanged(ChangeOutcome::NotFound));
    };
    let after = match change.apply(&before, at) {
        Ok(after) => after,
        Err(violations) => return Ok(Recorded::unchanged(ChangeOutcome::Refused(violations))),
    };
    let recorded = if after == before {
        Recorded::unchanged(())
    } else {
        update(connection, company, &after)?;
        let entry = NewAuditEntry::of(by, AuditAction::AssetUpdated, id.uuid(), at);
        Recorded::by(audit::append(connection, &entry.with_changes(&before, &after))?, ())
    };
    recorded.try_map(|()| detail(connection, company, after, status).map(ChangeOutcome::Changed))
}

fn update(connection: &mut Connection, company: CompanyId, asset: &Asset) -> Result<(), Failure> {
    let text = "UPDATE assets SET name = ?, type = ?, subject = ?, preheader = ?, html = ?, text = ?, \
         text_is_made = ?, updated_at = ? WHERE id = ? AND company_id = ?";
    let update = statement(text)
        .bind(asset.name.as_str())
        .bind(asset.form.kind().as_str())
        .bind(asset.form.subject().map(str::to_owned))
        .bind(asset.form.preheader().map(str::to_owned))
        .bind(asset.html.as_str())
        .bind(asset.text.text.as_str())
        .bind(asset.text.is_made)
        .bind(asset.updated_at)
        .bind(asset.id)
        .bind(company);
    connection.execute(update)?;
    Ok(())
}

pub(super) fn delete(
    connection: &mut Connection,
    by: &Author,
    id: AssetId,
    at: Timestamp,
) -> Result<Recorded<bool>, Failure> {
    let company = by.company;
    if !lock(connection, company, id)? {
        return Ok(Recorded::unchanged(false));
    }
    let open = syncs::lock_open(connection, company, id)?;
    for text in [
        "DELETE FROM syncs WHERE asset_id = ? AND company_id = ?",
        "DELETE FROM assets WHERE id = ? AND company_id = ?",
    ] {
        connection.execute(statement(text).bind(id).bind(company))?;
    }
    let entries: Vec<_> = open.iter().map(|sync| NewEntry::sync_closed(by, sync, at)).collect();
    let _published = append_closed(connection, company, &entries)?;
    let entry = NewAuditEntry::of(by, AuditAction::AssetDeleted, id.uuid(), at);
    let entry = audit::append(connection, &entry)?;
    let open: Vec<SyncId> = open.iter().map(|sync| sync.id).collect();
    webhooks::cancel_for_syncs(connection, company, &open, CancelReason::AssetDeleted, at)?;
    Ok(Recorded::by(entry, true))
}
