//! The state of the syncs and webhooks of a company.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use contact_hub_domain::ids::{AssetId, CompanyId, WebhookId};
use contact_hub_domain::overview::{FailedSync, FailingWebhook, SyncTotals};
use contact_hub_domain::sync::{AssetName, IntegrationName};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::WebhookName;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many of each kind are shown.
const SHOWN: i64 = 5;

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    requested: i64,
    #[diesel(sql_type = BigInt)]
    completed: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
    #[diesel(sql_type = BigInt)]
    superseded: i64,
    #[diesel(sql_type = BigInt)]
    withdrawn: i64,
}

#[derive(QueryableByName)]
struct FailedRow {
    #[diesel(sql_type = Id)]
    asset_id: IdValue,
    #[diesel(sql_type = Text)]
    asset_name: String,
    #[diesel(sql_type = Text)]
    integration_name: String,
    #[diesel(sql_type = Text)]
    message: String,
    #[diesel(sql_type = Moment)]
    reported_at: MomentValue,
}

#[derive(QueryableByName)]
struct FailingRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    is_off: bool,
    #[diesel(sql_type = Nullable<Moment>)]
    failing_since: Option<MomentValue>,
}

/// The syncs that were requested since a moment, by their state.
pub(super) fn sync_totals(
    connection: &mut Connection,
    company: CompanyId,
    since: Timestamp,
) -> Result<SyncTotals, Failure> {
    let most = i64::try_from(SyncTotals::MOST).unwrap_or(i64::MAX);
    let count = |state: &'static str| -> Statement {
        let text = "(SELECT count(*) FROM (SELECT 1 FROM syncs WHERE company_id = ? AND state = ? \
             AND requested_at >= ? LIMIT ?) AS counted)";
        statement(text).bind(company).bind(state).bind(since).bind(most)
    };
    let select = sql!(
        "SELECT {} AS requested, {} AS completed, {} AS failed, {} AS superseded, {} AS withdrawn",
        count("requested"),
        count("completed"),
        count("failed"),
        count("superseded"),
        count("withdrawn"),
    );
    let row: Option<TotalsRow> = connection.first(select)?;
    let number = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(row.map_or_else(SyncTotals::default, |row| SyncTotals {
        requested: number(row.requested),
        completed: number(row.completed),
        failed: number(row.failed),
        closed: number(row.superseded + row.withdrawn).min(SyncTotals::MOST),
    }))
}

/// Among the latest hundred failed syncs, those after which no sync was requested for the same asset and integration.
pub(super) fn failed_syncs(
    connection: &mut Connection,
    company: CompanyId,
    since: Timestamp,
) -> Result<Vec<FailedSync>, Failure> {
    let text = "SELECT failed.asset_id, assets.name AS asset_name, integrations.name AS integration_name, \
         substr(failed.error_message, 1, 300) AS message, failed.reported_at \
         FROM (SELECT id, company_id, asset_id, integration_id, requested_at, reported_at, error_message FROM syncs \
         WHERE company_id = ? AND state = 'failed' AND requested_at >= ? ORDER BY requested_at DESC, id DESC LIMIT 100) \
         AS failed JOIN assets ON assets.id = failed.asset_id AND assets.company_id = failed.company_id \
         JOIN integrations ON integrations.id = failed.integration_id AND integrations.company_id = failed.company_id \
         WHERE NOT EXISTS (SELECT 1 FROM syncs newer WHERE newer.company_id = failed.company_id \
         AND newer.asset_id = failed.asset_id AND newer.integration_id = failed.integration_id \
         AND (newer.requested_at, newer.id) > (failed.requested_at, failed.id)) \
         ORDER BY failed.requested_at DESC, failed.id DESC LIMIT ?";
    let select = statement(text).bind(company).bind(since).bind(SHOWN);
    let rows: Vec<FailedRow> = connection.rows(select)?;
    let failed = |row: FailedRow| FailedSync {
        asset: AssetId::new(row.asset_id.0),
        asset_name: AssetName::from_stored(row.asset_name),
        integration_name: IntegrationName::from_stored(row.integration_name),
        message: row.message,
        reported_at: row.reported_at.0,
    };
    Ok(rows.into_iter().map(failed).collect())
}

/// Webhooks whose attempts have failed since their last success, and those that were switched off because of it.
pub(super) fn failing_webhooks(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<FailingWebhook>, Failure> {
    let text = "SELECT id, name, disabled_reason IS NOT NULL AS is_off, failing_since FROM webhooks \
         WHERE company_id = ? AND (failing_since IS NOT NULL OR disabled_reason IN ('gone', 'failing')) \
         ORDER BY id LIMIT ?";
    let rows: Vec<FailingRow> = connection.rows(statement(text).bind(company).bind(SHOWN))?;
    let failing = |row: FailingRow| FailingWebhook {
        id: WebhookId::new(row.id.0),
        name: WebhookName::from_stored(row.name),
        is_off: row.is_off,
        since: row.failing_since.map(|since| since.0),
    };
    Ok(rows.into_iter().map(failing).collect())
}
