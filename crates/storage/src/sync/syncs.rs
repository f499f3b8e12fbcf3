//! Read and write syncs.

use std::collections::HashMap;

use uuid::Uuid;

use contact_hub_domain::ids::{AssetId, CompanyId, IntegrationId, SyncId};
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::sync::{AssetSync, Step, Stepped, SyncState};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::CancelReason;

use super::rows::{SYNC, SyncRow, word};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, any_result, join_in_order};
use crate::failure::Failure;
use crate::paged::paged;
use crate::statement::{Statement, sql, statement};

const NEWEST_FIRST: &str = "syncs.requested_at DESC, syncs.id DESC";

fn load(connection: &mut Connection, select: Statement) -> Result<Vec<AssetSync>, Failure> {
    let rows: Vec<SyncRow> = connection.rows(select)?;
    rows.into_iter().map(SyncRow::into_sync).collect()
}

/// The statement that writes new syncs.
pub(super) fn insertion(
    connection: &Connection,
    company: CompanyId,
    syncs: &[AssetSync],
) -> Statement {
    let source = Source::of(syncs)
        .ids("id", |sync| sync.id.uuid())
        .ids("asset_id", |sync| sync.asset_id.uuid())
        .ids("integration_id", |sync| sync.integration_id.uuid())
        .texts("state", |sync| word(&sync.state).to_owned())
        .optional_texts("requested_by", |sync| sync.requested_by.clone())
        .moments("requested_at", |sync| sync.requested_at);
    let insert = sql!(
        "INSERT INTO syncs (company_id, {columns}) SELECT ?, {columns} FROM {table}",
        columns = source.names(),
        table = source.table(connection)
    );
    insert.bind(company)
}

/// Supersedes syncs that were open when they were read. If another transaction closed one in the meantime, this one is
/// retried.
pub(super) fn supersede(
    connection: &mut Connection,
    company: CompanyId,
    syncs: &[SyncId],
) -> Result<(), Failure> {
    let update = sql!(
        "UPDATE syncs SET state = ? WHERE id {} AND company_id = ? AND state = ?",
        any_id(connection, syncs.iter().map(|id| id.uuid()))
    );
    let update = update.bind(word(&SyncState::Superseded)).bind(company);
    let updated = connection.execute(update.bind(word(&SyncState::Requested)))?;
    if updated == syncs.len() { Ok(()) } else { Err(Failure::Overtaken) }
}

/// Writes the state of a sync that was open when it was read. If another transaction closed it in the meantime, this
/// one is retried.
pub(super) fn close(
    connection: &mut Connection,
    company: CompanyId,
    sync: &AssetSync,
) -> Result<(), Failure> {
    let text = "UPDATE syncs SET state = ?, map_id = ?, map_url = ?, error_message = ?, reported_at = ? \
         WHERE id = ? AND company_id = ? AND state = ?";
    let message = match &sync.state {
        SyncState::Failed { message, .. } => Some(message.as_str().to_owned()),
        _ => None,
    };
    let update = statement(text)
        .bind(word(&sync.state))
        .bind(sync.map().map(|map| map.id.as_str().to_owned()))
        .bind(sync.map().map(|map| map.url.as_str().to_owned()))
        .bind(message)
        .bind(sync.reported_at())
        .bind(sync.id)
        .bind(company)
        .bind(word(&SyncState::Requested));
    if connection.execute(update)? == 1 { Ok(()) } else { Err(Failure::Overtaken) }
}

/// Withdraws every open sync of an integration and returns them.
pub(super) fn withdraw(
    connection: &mut Connection,
    company: CompanyId,
    integration: IntegrationId,
    at: Timestamp,
) -> Result<Vec<AssetSync>, Failure> {
    let select = sql!(
        "SELECT {} FROM syncs WHERE company_id = ? AND integration_id = ? AND state = 'requested' ORDER BY id",
        SYNC
    );
    let open = load(connection, select.bind(company).bind(integration))?;
    let mut withdrawn = Vec::with_capacity(open.len());
    for sync in open {
        if let Stepped::Moved(sync) = sync.after(&Step::Withdraw, at) {
            close(connection, company, &sync)?;
            withdrawn.push(sync);
        }
    }
    Ok(withdrawn)
}

/// Why deliveries about these syncs are obsolete. Open syncs are left out.
pub(crate) fn obsolete(
    connection: &mut Connection,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, CancelReason>, Failure> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let any = any_id(connection, ids.iter().copied());
    let states = load(connection, sql!("SELECT {} FROM syncs WHERE id {}", SYNC, any))?;
    let states: HashMap<Uuid, SyncState> =
        states.into_iter().map(|sync| (sync.id.uuid(), sync.state)).collect();
    let reason = |id: &Uuid| CancelReason::of_sync(states.get(id)).map(|reason| (*id, reason));
    Ok(ids.iter().filter_map(reason).collect())
}

/// The sync with this id, if it belongs to the asset.
pub(super) fn find(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
    id: SyncId,
) -> Result<Vec<AssetSync>, Failure> {
    let select =
        sql!("SELECT {} FROM syncs WHERE id = ? AND company_id = ? AND asset_id = ?", SYNC);
    load(connection, select.bind(id).bind(company).bind(asset))
}

/// The asset's open syncs, the oldest first.
pub(super) fn open(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
) -> Result<Vec<AssetSync>, Failure> {
    let select = sql!(
        "SELECT {} FROM syncs WHERE company_id = ? AND asset_id = ? AND state = 'requested' \
         ORDER BY requested_at, id",
        SYNC
    );
    load(connection, select.bind(company).bind(asset))
}

/// The same, locked in the order of their ids, as the deletion of an integration locks them.
pub(super) fn lock_open(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
) -> Result<Vec<AssetSync>, Failure> {
    let select = sql!(
        "SELECT {} FROM syncs WHERE company_id = ? AND asset_id = ? AND state = 'requested' ORDER BY id{}",
        SYNC,
        Lock::ForUpdate.on(connection),
    );
    load(connection, select.bind(company).bind(asset))
}

/// The asset's latest sync for each integration, deleted ones included, the newest first.
pub(super) fn latest(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
) -> Result<Vec<AssetSync>, Failure> {
    let select = sql!(
        "SELECT {} FROM syncs WHERE company_id = ? AND asset_id = ? AND NOT EXISTS \
         (SELECT 1 FROM syncs newer WHERE newer.company_id = syncs.company_id AND newer.asset_id = syncs.asset_id \
          AND newer.integration_id = syncs.integration_id \
          AND (newer.requested_at, newer.id) > (syncs.requested_at, syncs.id)) ORDER BY {}",
        SYNC,
        NEWEST_FIRST
    );
    load(connection, select.bind(company).bind(asset))
}

/// The asset's latest sync for each integration that exists, the newest first.
pub(super) fn latest_of_integrations(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
) -> Result<Vec<AssetSync>, Failure> {
    let select = sql!(
        "SELECT {} FROM integrations JOIN syncs ON syncs.id = \
         (SELECT newest.id FROM syncs newest WHERE newest.company_id = integrations.company_id \
          AND newest.asset_id = ? AND newest.integration_id = integrations.id \
          ORDER BY newest.requested_at DESC, newest.id DESC LIMIT 1) \
         WHERE integrations.company_id = ? ORDER BY {}",
        SYNC,
        NEWEST_FIRST
    );
    load(connection, select.bind(asset).bind(company))
}

/// The latest sync of each asset to its integration, and the last completed one unless they are the same; the newest
/// first.
pub(super) fn last_of_pairs(
    connection: &mut Connection,
    company: CompanyId,
    pairs: &[(AssetId, IntegrationId)],
) -> Result<Vec<AssetSync>, Failure> {
    let source = Source::of(pairs)
        .ids("asset_id", |(asset, _)| asset.uuid())
        .ids("integration_id", |(_, integration)| integration.uuid());
    let last = |condition: &'static str| {
        sql!(
            "(SELECT newest.id FROM syncs newest WHERE newest.company_id = ? AND newest.asset_id = source.asset_id \
             AND newest.integration_id = source.integration_id{} ORDER BY newest.requested_at DESC, newest.id DESC LIMIT 1)",
            condition
        )
        .bind(company)
    };
    // IS TRUE keeps PostgreSQL from reading all completed syncs of the company.
    let last = [last(""), last(" AND (newest.state = 'completed') IS TRUE")];
    let select = sql!(
        "SELECT {} FROM {} {} syncs ON syncs.id {} ORDER BY {}",
        SYNC,
        source.table(connection),
        join_in_order(connection),
        any_result(connection, last),
        NEWEST_FIRST
    );
    load(connection, select)
}

/// A page of the asset's syncs, the newest first.
pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
    page: PageRequest,
) -> Result<Page<AssetSync>, Failure> {
    let syncs = statement("syncs WHERE company_id = ? AND asset_id = ?").bind(company).bind(asset);
    paged(connection, page, SYNC, &syncs, NEWEST_FIRST, SyncRow::into_sync)
}
