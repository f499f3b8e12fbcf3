//! Claiming deliveries.
//!
//! A claim first walks along the index of what is due, from company to company and from webhook to webhook, and visits a
//! bounded number of both ([`walk`]). Of the webhooks it has visited it takes the few first deliveries of each
//! ([`take`]). So its cost depends neither on how much waits for a receiver that is away nor on how many webhooks wait.
//!
//! On PostgreSQL the webhooks are locked by a statement of its own, so that the next one sees all that other instances
//! have claimed for them; without it two could together exceed what a webhook may have in progress. Nobody waits for
//! such a lock: a webhook that another claim holds is left to it.

mod take;
mod walk;

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

/// Takes what is due under the claim's lease; gives the deliveries, and where the next claim begins.
pub(crate) fn claim_deliveries(
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
pub(crate) fn claim_statements(
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
