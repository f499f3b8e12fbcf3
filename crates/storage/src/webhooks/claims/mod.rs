//! Claiming deliveries.
//!
//! A claim first walks along the index of what is due, from company to company and from webhook to webhook, and
//! visits a bounded number of both ([`walk`]). Then it takes the first few deliveries of each visited webhook
//! ([`take`]). So its cost depends neither on the backlog of a receiver that is down nor on how many webhooks wait.
//!
//! On PostgreSQL a separate statement locks the webhooks, so that the next one sees all that other instances have
//! claimed for them. Without it, two instances together could exceed what a webhook may have in progress. A claim
//! never waits for such a lock: it skips webhooks that another claim holds.

mod claim;
mod read;
mod take;
mod walk;

pub(super) use claim::claim;

use uuid::Uuid;

use contact_hub_domain::webhooks::{Claim, Walk};

use self::read::ClaimedRow;
use self::walk::Visited;
use super::instances::sign;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::Statement;

/// Claims due deliveries with the claim's lease; returns them and where the next claim begins.
fn claim_deliveries(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<(Vec<ClaimedRow>, Walk), Failure> {
    let Visited { webhooks, next } = walk::walk(connection, claim)?;
    let rows = match connection {
        Connection::Postgres(_) => {
            let locked: Vec<IdRow> = connection.rows(take::lock(connection, claim, &webhooks))?;
            let webhooks: Vec<Uuid> = locked.into_iter().map(|webhook| webhook.id.0).collect();
            if webhooks.is_empty() {
                return Ok((Vec::new(), next));
            }
            connection.rows(take::take_and_read(connection, claim, &webhooks))?
        }
        Connection::Sqlite(_) => take_on_sqlite(connection, claim, &webhooks)?,
    };
    Ok((rows, next))
}

fn take_on_sqlite(
    connection: &mut Connection,
    claim: &Claim,
    webhooks: &[Uuid],
) -> Result<Vec<ClaimedRow>, Failure> {
    if webhooks.is_empty() {
        return Ok(Vec::new());
    }
    let taken: Vec<IdRow> = connection.rows(take::take(connection, claim, webhooks))?;
    if taken.is_empty() {
        return Ok(Vec::new());
    }
    sign(connection, claim.instance, claim.now)?;
    let any = any_id(connection, taken.into_iter().map(|delivery| delivery.id.0));
    Ok(connection.rows(read::read(any, claim))?)
}

/// The statements of a claim.
pub(super) fn claim_statements(
    connection: &Connection,
    claim: &Claim,
    webhooks: &[Uuid],
) -> Vec<Statement> {
    let walk = walk::statement_of(connection, claim);
    match connection {
        Connection::Postgres(_) => vec![
            walk,
            take::lock(connection, claim, webhooks),
            take::take_and_read(connection, claim, webhooks),
        ],
        Connection::Sqlite(_) => vec![walk, take::take(connection, claim, webhooks)],
    }
}
