//! Claiming deliveries.
//!
//! Both databases walk from webhook to webhook along the index of what is due, take the few first ones of each, and let
//! the webhooks take turns. The cost does not depend on how much waits for a receiver that is away.
//!
//! On PostgreSQL the webhooks are locked by a statement of its own, so that the next one sees all that other instances
//! have claimed for them; without it two could together exceed what a webhook may have in progress. Nobody waits for
//! such a lock: a webhook that another claim holds is left to it.

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::webhooks::{Claim, DeliveryState};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Bind, Statement, statement};

/// The webhooks that have something open.
const BUSY: &str = "WITH RECURSIVE busy (id) AS ( \
     SELECT * FROM (SELECT webhook_id FROM deliveries WHERE due_at IS NOT NULL ORDER BY webhook_id LIMIT 1) AS first \
     UNION ALL SELECT (SELECT webhook_id FROM deliveries WHERE due_at IS NOT NULL AND webhook_id > busy.id \
     ORDER BY webhook_id LIMIT 1) FROM busy WHERE busy.id IS NOT NULL)";

/// How much a webhook has in progress.
const HELD: &str = "(SELECT count(*) FROM deliveries WHERE deliveries.webhook_id = webhooks.id \
     AND deliveries.state = 'in_progress' AND deliveries.due_at > ?)";

/// A webhook that is off gets only what a person asked for.
const IS_ON: &str = "webhooks.disabled_reason IS NULL AS is_on";
const FITS: &str = "(held.is_on OR trigger <> 'scheduled')";

const TURN: &str = "row_number() OVER (PARTITION BY held.id ORDER BY due.is_late, due.due_at, due.id) + held.number AS turn";

const TAKE: &str = "UPDATE deliveries SET state = ?, due_at = ?, lease = ?, updated_at = ? WHERE id IN \
     (SELECT id FROM turns WHERE turn <= ? ORDER BY is_late, turn, due_at, id LIMIT ?) RETURNING id";

#[derive(QueryableByName)]
struct Taken {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// Takes what is due under the claim's lease; tells which deliveries.
pub(crate) fn claim_deliveries(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<Vec<Uuid>, Failure> {
    let take = match connection {
        Connection::Postgres(_) => {
            let locked: Vec<Taken> = connection.rows(lock_webhooks(claim))?;
            if locked.is_empty() {
                return Ok(Vec::new());
            }
            postgres(claim, locked.into_iter().map(|webhook| webhook.id).collect())
        }
        Connection::Sqlite(_) => sqlite(claim),
    };
    let taken: Vec<Taken> = connection.rows(take)?;
    Ok(taken.into_iter().map(|delivery| delivery.id.0).collect())
}

/// The statements of a claim.
pub(crate) fn claim_statements(connection: &Connection, claim: &Claim) -> Vec<Statement> {
    match connection {
        Connection::Postgres(_) => vec![lock_webhooks(claim), postgres(claim, Vec::new())],
        Connection::Sqlite(_) => vec![sqlite(claim)],
    }
}

/// Locks the webhooks that may have more in progress, those with the most urgent delivery first.
fn lock_webhooks(claim: &Claim) -> Statement {
    let head = |is_late: bool| {
        format!(
            "SELECT * FROM (SELECT is_late, due_at FROM deliveries WHERE webhook_id = busy.id AND is_late = {is_late} \
             AND due_at <= ? AND (webhooks.disabled_reason IS NULL OR trigger <> 'scheduled') ORDER BY due_at LIMIT 1) \
             AS head_{is_late}"
        )
    };
    let text = format!(
        "{BUSY} SELECT webhooks.id FROM busy JOIN webhooks ON webhooks.id = busy.id CROSS JOIN LATERAL \
         (SELECT * FROM ({} UNION ALL {}) AS heads ORDER BY is_late, due_at LIMIT 1) AS head \
         WHERE {HELD} < ? ORDER BY head.is_late, head.due_at LIMIT ? FOR NO KEY UPDATE OF webhooks SKIP LOCKED",
        head(false),
        head(true)
    );
    statement(text)
        .bind(claim.now)
        .bind(claim.now)
        .bind(claim.now)
        .bind(i64::from(claim.per_webhook))
        .bind(i64::from(claim.limit))
}

fn postgres(claim: &Claim, webhooks: Vec<IdValue>) -> Statement {
    let due = |is_late: bool| {
        format!(
            "SELECT * FROM (SELECT id, is_late, due_at FROM deliveries WHERE webhook_id = held.id AND is_late = {is_late} \
             AND due_at <= ? AND {FITS} ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED) AS due_{is_late}"
        )
    };
    let text = format!(
        "WITH held AS MATERIALIZED (SELECT webhooks.id, {IS_ON}, {HELD} AS number FROM webhooks WHERE webhooks.id = ANY(?)), \
         turns AS MATERIALIZED (SELECT due.id, due.is_late, due.due_at, {TURN} FROM held CROSS JOIN LATERAL \
         ({} UNION ALL {}) AS due) {TAKE}",
        due(false),
        due(true)
    );
    let text = statement(text).bind(claim.now).bind(webhooks);
    bind_take(bind_due(text, claim), claim)
}

/// SQLite knows no LATERAL; a list of row ids that depends on the webhook does the same.
fn sqlite(claim: &Claim) -> Statement {
    let due = |is_late: u8| {
        format!(
            "SELECT rowid FROM (SELECT rowid FROM deliveries WHERE webhook_id = held.id AND is_late = {is_late} \
             AND due_at <= ? AND {FITS} ORDER BY due_at, id LIMIT ?)"
        )
    };
    let text = format!(
        "{BUSY}, held AS (SELECT webhooks.id, {IS_ON}, {HELD} AS number FROM busy JOIN webhooks ON webhooks.id = busy.id), \
         turns AS (SELECT due.id, due.is_late, due.due_at, {TURN} FROM held CROSS JOIN deliveries AS due \
         ON due.rowid IN ({} UNION ALL {})) {TAKE}",
        due(0),
        due(1)
    );
    bind_take(bind_due(statement(text).bind(claim.now), claim), claim)
}

fn bind_due(statement: Statement, claim: &Claim) -> Statement {
    let limit = i64::from(claim.per_webhook);
    statement.bind(claim.now).bind(limit).bind(claim.now).bind(limit)
}

fn bind_take(statement: Statement, claim: &Claim) -> Statement {
    statement
        .bind(DeliveryState::InProgress.as_str())
        .bind(claim.lease_until)
        .bind(Bind::Id(IdValue(claim.lease.uuid())))
        .bind(claim.now)
        .bind(i64::from(claim.per_webhook))
        .bind(i64::from(claim.limit))
}
