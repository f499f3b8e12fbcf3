//! How many attempts succeeded and failed in each hour. The transaction that records attempts adds them, while it locks
//! their webhooks, so an attempt counts once however often an instance dies.

use std::collections::{BTreeMap, HashMap};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::AttemptOutcome;
use contact_hub_domain::webhooks::activity::{HourlyOutcomes, LastAttempt, WebhookActivity};

use super::attempts::{outcome, outcome_cells};
use super::rows::corrupt;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Source, any_id, join_in_order};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// An attempt that counts.
#[derive(Clone, Copy)]
pub(super) struct CountedAttempt {
    pub(super) company: CompanyId,
    pub(super) webhook: WebhookId,
    pub(super) ended_at: Timestamp,
    pub(super) outcome: AttemptOutcome,
}

/// What is added to a row.
struct Added {
    succeeded: i64,
    failed: i64,
    last: CountedAttempt,
}

/// The statement that adds attempts; `None` when there are none. Rows are written in the order of their webhooks, so two
/// transactions never deadlock.
pub(super) fn addition(
    connection: &Connection,
    attempts: impl Iterator<Item = CountedAttempt>,
) -> Option<Statement> {
    let mut rows: BTreeMap<(Uuid, Timestamp), Added> = BTreeMap::new();
    for it in attempts {
        let row = rows.entry((it.webhook.uuid(), it.ended_at.hour_start())).or_insert(Added {
            succeeded: 0,
            failed: 0,
            last: it,
        });
        let count = if it.outcome.is_success() { &mut row.succeeded } else { &mut row.failed };
        *count = count.saturating_add(1);
        if row.last.ended_at <= it.ended_at {
            row.last = it;
        }
    }
    let rows: Vec<Added> = rows.into_values().collect();
    (!rows.is_empty()).then(|| upsert(connection, &rows))
}

fn upsert(connection: &Connection, rows: &[Added]) -> Statement {
    let source = Source::of(rows)
        .ids("company_id", |row| row.last.company.uuid())
        .ids("webhook_id", |row| row.last.webhook.uuid())
        .moments("hour", |row| row.last.ended_at.hour_start())
        .ints("succeeded", |row| row.succeeded)
        .ints("failed", |row| row.failed)
        .moments("last_at", |row| row.last.ended_at)
        .ints("last_status", |row| outcome_cells(row.last.outcome).0)
        .optional_texts("last_error", |row| outcome_cells(row.last.outcome).1);
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    sql!(
        "INSERT INTO delivery_outcomes AS known ({columns}) SELECT {columns} FROM {table} WHERE true \
         ON CONFLICT (company_id, webhook_id, hour) DO UPDATE SET \
         succeeded = known.succeeded + excluded.succeeded, failed = known.failed + excluded.failed, \
         last_status = CASE WHEN {is_later} THEN excluded.last_status ELSE known.last_status END, \
         last_error = CASE WHEN {is_later} THEN excluded.last_error ELSE known.last_error END, \
         last_at = CASE WHEN {is_later} THEN excluded.last_at ELSE known.last_at END",
        columns = source.names(),
        is_later = "excluded.last_at >= known.last_at",
        table = source.table(connection),
    )
}

#[derive(QueryableByName)]
struct HourRow {
    #[diesel(sql_type = Moment)]
    hour: MomentValue,
    #[diesel(sql_type = BigInt)]
    succeeded: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
}

impl From<HourRow> for HourlyOutcomes {
    fn from(row: HourRow) -> Self {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        Self { hour: row.hour.0, succeeded: count(row.succeeded), failed: count(row.failed) }
    }
}

/// The attempts at all webhooks together.
pub(super) fn of_company(
    connection: &mut Connection,
    company: CompanyId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<HourlyOutcomes>, Failure> {
    let text = "SELECT hour, CAST(sum(succeeded) AS bigint) AS succeeded, CAST(sum(failed) AS bigint) AS failed \
         FROM delivery_outcomes WHERE company_id = ? AND hour >= ? AND hour < ? GROUP BY hour ORDER BY hour";
    let rows: Vec<HourRow> = connection.rows(statement(text).bind(company).bind(from).bind(to))?;
    Ok(rows.into_iter().map(HourlyOutcomes::from).collect())
}

#[derive(QueryableByName)]
struct WebhookHourRow {
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(embed)]
    hour: HourRow,
}

#[derive(QueryableByName)]
struct LastRow {
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Moment)]
    last_at: MomentValue,
    #[diesel(sql_type = Nullable<Integer>)]
    last_status: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    last_error: Option<String>,
}

/// The attempts at some webhooks, and the last one at each.
pub(super) fn of_webhooks(
    connection: &mut Connection,
    company: CompanyId,
    webhooks: &[WebhookId],
    from: Timestamp,
) -> Result<Vec<WebhookActivity>, Failure> {
    let mut hours = hours(connection, company, webhooks, from)?;
    let source = Source::of(webhooks).ids("webhook_id", |id| id.uuid());
    let select = sql!(
        "SELECT delivery_outcomes.webhook_id, last_at, last_status, last_error \
         FROM (SELECT webhook_id, (SELECT max(hour) FROM delivery_outcomes \
         WHERE company_id = ? AND webhook_id = source.webhook_id) AS hour FROM {}) AS latest \
         {} delivery_outcomes ON delivery_outcomes.company_id = ? \
         AND delivery_outcomes.webhook_id = latest.webhook_id AND delivery_outcomes.hour = latest.hour",
        source.table(connection),
        join_in_order(connection),
    );
    let rows: Vec<LastRow> = connection.rows(select.bind(company).bind(company))?;
    let activity = rows.into_iter().map(|row| {
        let id = row.webhook_id.0;
        let outcome = outcome(row.last_status, row.last_error.as_deref());
        let outcome = outcome.ok_or_else(|| corrupt("delivery_outcomes.last_error", id))?;
        Ok(WebhookActivity {
            webhook: WebhookId::new(id),
            last: LastAttempt { at: row.last_at.0, outcome },
            hours: hours.remove(&id).unwrap_or_default(),
        })
    });
    activity.collect()
}

fn hours(
    connection: &mut Connection,
    company: CompanyId,
    webhooks: &[WebhookId],
    from: Timestamp,
) -> Result<HashMap<Uuid, Vec<HourlyOutcomes>>, Failure> {
    let any = any_id(connection, webhooks.iter().map(|id| id.uuid()));
    let select = sql!(
        "SELECT webhook_id, hour, succeeded, failed FROM delivery_outcomes \
         WHERE company_id = ? AND webhook_id {} AND hour >= ? ORDER BY webhook_id, hour",
        any
    );
    let mut hours: HashMap<Uuid, Vec<HourlyOutcomes>> = HashMap::new();
    let rows: Vec<WebhookHourRow> = connection.rows(select.bind(company).bind(from))?;
    for row in rows {
        hours.entry(row.webhook_id.0).or_default().push(row.hour.into());
    }
    Ok(hours)
}
