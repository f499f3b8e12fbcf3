//! Claim due deliveries.

use uuid::Uuid;

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Claim, Taken};

use super::claim_deliveries;
use super::read::Secrets;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::webhooks::secrets::valid_secrets;

pub(in crate::webhooks) fn claim(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<Taken, Failure> {
    let (rows, walk) = claim_deliveries(connection, claim)?;
    let webhooks: Vec<Uuid> = rows.iter().map(|row| row.webhook_id.0).collect();
    if webhooks.is_empty() {
        return Ok(Taken { claimed: Vec::new(), walk });
    }
    let secrets = secrets(connection, webhooks, claim.now)?;
    let claimed = rows.into_iter().map(|row| row.into_claimed(claim, &secrets));
    Ok(Taken { claimed: claimed.collect::<Result<_, _>>()?, walk })
}

fn secrets(
    connection: &mut Connection,
    mut webhooks: Vec<Uuid>,
    now: Timestamp,
) -> Result<Secrets, Failure> {
    webhooks.sort_unstable();
    webhooks.dedup();
    let mut secrets = Secrets::new();
    for row in valid_secrets(connection, webhooks, now)? {
        secrets.entry(row.webhook_id.0).or_default().push(row.into_secret());
    }
    Ok(secrets)
}
