//! The counts of deliveries, which the database updates with every write.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable, Text};

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::webhooks::DeliveryState;

use super::appended_counts::delivery_counts;
use super::settlement::{Scope, Settlement};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql, statement};
use crate::webhooks::leases::running;

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Text>)]
    moved_to: Option<String>,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many deliveries are in one state, and how many of them only by a settlement.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::webhooks) struct Total {
    pub(in crate::webhooks) unmoved: i64,
    pub(in crate::webhooks) moved: i64,
}

/// How many deliveries of the company, or of one webhook, are in a state, or in any.
pub(in crate::webhooks) fn totals(
    connection: &mut Connection,
    company: CompanyId,
    webhook: Option<WebhookId>,
    state: Option<DeliveryState>,
    settlements: &[Settlement],
) -> Result<Total, Failure> {
    let of_webhook = webhook.map(|id| statement(" AND counts.webhook_id = ?").bind(id));
    let counts = delivery_counts(connection);
    let select = sql!(
        "SELECT counts.state, CASE WHEN counts.state IN ('pending', 'retrying') THEN settlements.state END AS moved_to, \
         CAST(sum(counts.number) AS bigint) AS number FROM {} AS counts LEFT JOIN settlements \
         ON settlements.company_id = counts.company_id AND settlements.webhook_id = counts.webhook_id \
         AND settlements.generation = counts.generation \
         WHERE counts.company_id = ?{} GROUP BY 1, 2",
        counts,
        of_webhook
    );
    let rows: Vec<CountRow> = connection.rows(select.bind(company))?;
    let mut total = Total::default();
    let is_asked = |word: &str| state.is_none_or(|state| state.as_str() == word);
    for row in &rows {
        match row.moved_to.as_deref() {
            Some(moved_to) if is_asked(moved_to) => total.moved += row.number,
            None if is_asked(&row.state) => total.unmoved += row.number,
            _ => {}
        }
    }
    let Some(state) = state else { return Ok(total) };
    for settlement in settlements.iter().filter(|it| webhook.is_none_or(|id| id == it.webhook)) {
        if let Scope::Ended { exhausted, skipped, .. } = settlement.scope {
            match state {
                DeliveryState::Exhausted => total.unmoved -= exhausted,
                DeliveryState::Skipped => total.unmoved -= skipped,
                _ => {}
            }
            if state == settlement.state {
                total.moved += exhausted + skipped;
            }
        }
    }
    total.unmoved += in_progress(connection, company, webhook, state)?;
    Ok(total)
}

/// A delivery in progress is counted in the state that it has when it is released; there are few at any time.
fn in_progress(
    connection: &mut Connection,
    company: CompanyId,
    webhook: Option<WebhookId>,
    state: DeliveryState,
) -> Result<i64, Failure> {
    if !state.is_open() {
        return Ok(0);
    }
    let of_webhook = webhook.map(|id| statement(" WHERE deliveries.webhook_id = ?").bind(id));
    let select = sql!(
        "SELECT deliveries.state, NULL AS moved_to, count(*) AS number FROM {}{} GROUP BY 1",
        running(connection, company),
        of_webhook
    );
    let rows: Vec<CountRow> = connection.rows(select)?;
    Ok(match state {
        DeliveryState::InProgress => rows.iter().map(|row| row.number).sum(),
        _ => -rows
            .iter()
            .filter(|row| row.state == state.as_str())
            .map(|row| row.number)
            .sum::<i64>(),
    })
}

/// How many deliveries of a webhook ended in a state, without tests.
pub(super) fn ended(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    state: DeliveryState,
) -> Result<i64, Failure> {
    let condition = statement("state = ? AND NOT is_test").bind(state.as_str());
    sum(connection, company, webhook, condition)
}

/// How many deliveries of a webhook wait in a generation.
pub(super) fn waiting(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    generation: i32,
) -> Result<i64, Failure> {
    let condition =
        statement("state IN ('pending', 'retrying') AND generation = ?").bind(generation);
    sum(connection, company, webhook, condition)
}

fn sum(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    condition: Statement,
) -> Result<i64, Failure> {
    let sum = sql!(
        "SELECT CAST(COALESCE(sum(number), 0) AS bigint) AS total FROM {} AS counts \
         WHERE company_id = ? AND webhook_id = ? AND {}",
        delivery_counts(connection),
        condition,
    );
    total(connection, sum.bind(company).bind(webhook))
}
