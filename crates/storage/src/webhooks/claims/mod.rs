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
mod take;
mod walk;

pub(super) use claim::claim;

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::webhooks::{Claim, Walk};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::Statement;

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

/// Claims due deliveries with the claim's lease; returns them and where the next claim begins.
fn claim_deliveries(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<(Vec<Uuid>, Walk), Failure> {
    let visited = walk::walk(connection, claim)?;
    let mut webhooks = visited.webhooks;
    if let Connection::Postgres(_) = connection {
        let locked: Vec<IdRow> = connection.rows(take::lock(claim, &webhooks))?;
        webhooks = locked.into_iter().map(|webhook| webhook.id.0).collect();
    }
    if webhooks.is_empty() {
        return Ok((Vec::new(), visited.next));
    }
    let take = take::take(connection, claim, &webhooks);
    let taken: Vec<IdRow> = connection.rows(take)?;
    Ok((taken.into_iter().map(|delivery| delivery.id.0).collect(), visited.next))
}

/// The statements of a claim.
pub(super) fn claim_statements(
    connection: &Connection,
    claim: &Claim,
    webhooks: &[Uuid],
) -> Vec<Statement> {
    let walk = walk::statement_of(connection, claim);
    let take = take::take(connection, claim, webhooks);
    match connection {
        Connection::Postgres(_) => vec![walk, take::lock(claim, webhooks), take],
        Connection::Sqlite(_) => vec![walk, take],
    }
}
