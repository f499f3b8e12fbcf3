//! Setting going again what ended in vain.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::DeliveryState;

use super::batch::settle_some;
use super::counts;
use super::settlement::{Concerned, Settlement, delete, insert, lock_of_webhook};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::webhooks::transitions::those;

/// Up to so many deliveries that ended before a moment are counted, to know how many ended after it.
const COUNTED: i64 = 10_000;

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Sets every delivery of a webhook, which is locked, going again that ended exhausted or skipped at `since` or later,
/// tests left out; tells how many.
pub(in crate::webhooks) fn recover(
    connection: &mut Connection,
    company: CompanyId,
    webhook: WebhookId,
    since: Timestamp,
    now: Timestamp,
) -> Result<u64, Failure> {
    let unfinished = lock_of_webhook(connection, company, webhook)?;
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
    // One that overlaps with an unfinished recovery takes its place.
    let (mut from, mut until) = (since, at);
    for before in &unfinished {
        if let Concerned::Ended { since: began, until: ended, exhausted, skipped } =
            before.concerned
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
        let concerned = Concerned::Ended { since: from, until, exhausted, skipped };
        let state = DeliveryState::Pending;
        let mut new = Settlement { id: 0, company, webhook, concerned, state, reason: None, at };
        new.id = insert(connection, &new)?;
        settle_some(connection, &new)?;
    }
    Ok(u64::try_from(recovered).unwrap_or_default())
}

/// How many deliveries it still has to rewrite.
fn remaining(connection: &mut Connection, settlement: &Settlement) -> Result<i64, Failure> {
    match settlement.concerned {
        Concerned::Waiting { generation } => {
            counts::waiting(connection, settlement.company, settlement.webhook, generation)
        }
        Concerned::Ended { exhausted, skipped, .. } => Ok(exhausted + skipped),
    }
}

/// How many deliveries ended in this state since a moment: all but those before it, when those are few.
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
    compared: &str,
    since: Timestamp,
    limit: i64,
) -> Result<i64, Failure> {
    let text = format!(
        "SELECT count(*) AS number FROM (SELECT 1 FROM deliveries WHERE webhook_id = ? AND state = '{}' \
         AND state IN ({}) AND kind <> 'test' AND updated_at {compared} ? LIMIT ?) AS ended",
        state.as_str(),
        those(DeliveryState::recovered)
    );
    let select = statement(text).bind(webhook).bind(since).bind(limit);
    let row: Option<NumberRow> = connection.first(select)?;
    Ok(row.map_or(0, |row| row.number))
}
