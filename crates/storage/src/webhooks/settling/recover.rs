//! Recovers deliveries that failed.

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::DeliveryState;

use super::batch::{settle_running, settle_some};
use super::counts;
use super::settlement::{Scope, Settlement, delete, insert, lock_of_webhooks};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{sql, statement};
use crate::webhooks::transitions::those;

/// Up to this many deliveries that ended before a moment are counted, to know how many ended after it.
const COUNTED: i64 = 10_000;

/// Reschedules every delivery of a locked webhook that ended exhausted or skipped at `since` or later, without tests;
/// returns how many.
pub(in crate::webhooks) fn recover(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    since: Timestamp,
    now: Timestamp,
) -> Result<u64, Failure> {
    let unfinished = lock_of_webhooks(connection, &[(company, webhook)])?;
    let at = unfinished.iter().fold(now, |at, before| at.after(before.at));
    let mut recovered = 0;
    for before in &unfinished {
        if before.state == DeliveryState::Skipped && before.at >= since {
            recovered += remaining(connection, before)?;
            let text =
                "UPDATE settlements SET state = 'pending', reason = NULL, at = ? WHERE id = ?";
            connection.execute(statement(text).bind(at).bind(before.id))?;
        }
    }
    // It replaces an unfinished recovery that it overlaps with.
    let (mut from, mut until) = (since, at);
    for before in &unfinished {
        if let Scope::Ended { since: began, until: ended, exhausted, skipped } = before.scope
            && began <= until
            && ended >= from
        {
            (from, until) = (from.min(began), until.max(ended));
            recovered -= exhausted + skipped;
            delete(connection, before.id)?;
        }
    }
    let exhausted = ended_since(connection, company, webhook, DeliveryState::Exhausted, from)?;
    let skipped = ended_since(connection, company, webhook, DeliveryState::Skipped, from)?;
    recovered += exhausted + skipped;
    if exhausted + skipped > 0 {
        let scope = Scope::Ended { since: from, until, exhausted, skipped };
        let state = DeliveryState::Pending;
        let mut new = Settlement { id: 0, company, webhook, scope, state, reason: None, at };
        new.id = insert(connection, &new)?;
        settle_running(connection, &new, (from, until))?;
        settle_some(connection, &new)?;
    }
    Ok(u64::try_from(recovered).unwrap_or_default())
}

/// How many deliveries it still has to rewrite.
fn remaining(connection: &mut Connection, settlement: &Settlement) -> Result<i64, Failure> {
    match settlement.scope {
        Scope::Waiting { generation } => {
            counts::waiting(connection, settlement.company, settlement.webhook, generation)
        }
        Scope::Ended { exhausted, skipped, .. } => Ok(exhausted + skipped),
    }
}

/// How many deliveries ended in this state since a moment: the total minus those before it, when those are few.
fn ended_since(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    state: DeliveryState,
    since: Timestamp,
) -> Result<i64, Failure> {
    let all = counts::ended(connection, company, webhook, state)?;
    if all == 0 {
        return Ok(0);
    }
    let before = count(connection, webhook, state, "<", since, COUNTED + 1)?;
    if before <= COUNTED {
        return Ok(all - before);
    }
    count(connection, webhook, state, ">=", since, i64::MAX)
}

fn count(
    connection: &mut Connection,
    webhook: WebhookId,
    state: DeliveryState,
    compared: &'static str,
    since: Timestamp,
    limit: i64,
) -> Result<i64, Failure> {
    let select = sql!(
        "SELECT count(*) AS total FROM (SELECT 1 FROM deliveries WHERE webhook_id = ? AND state = '{}' \
         AND state IN ({}) AND kind <> 'test' AND updated_at {} ? LIMIT ?) AS ended",
        state.as_str(),
        those(DeliveryState::recovered),
        compared
    );
    total(connection, select.bind(webhook).bind(since).bind(limit))
}
