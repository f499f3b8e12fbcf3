//! Claim due deliveries.

use std::collections::HashMap;

use diesel::QueryableByName;
use diesel::sql_types::{Integer, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId, WebhookId, WebhookSecretId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Claim, Claimed, PayloadUrl, Sealed, Taken};

use super::claim_deliveries;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::sql;
use crate::webhooks::instances::sign;
use crate::webhooks::rows::{count, event_kind, trigger};
use crate::webhooks::secrets::valid_secrets;

type Secrets = HashMap<Uuid, Vec<(WebhookSecretId, Sealed)>>;

#[derive(QueryableByName)]
struct ClaimedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Id)]
    event_id: IdValue,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    trigger: String,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Integer)]
    retries: i32,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Text)]
    payload: String,
}

pub(in crate::webhooks) fn claim(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<Taken, Failure> {
    let (taken, walk) = claim_deliveries(connection, claim)?;
    if taken.is_empty() {
        return Ok(Taken { claimed: Vec::new(), walk });
    }
    sign(connection, claim.instance, claim.now)?;
    let any = any_id(connection, taken.into_iter());
    let select = sql!(
        "SELECT deliveries.id, deliveries.company_id, deliveries.webhook_id, deliveries.event_id, deliveries.kind, \
         deliveries.trigger, deliveries.attempts, deliveries.retries, webhooks.url, COALESCE(events.payload, '') AS payload \
         FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id \
         JOIN events ON events.id = deliveries.event_id WHERE deliveries.id {} \
         ORDER BY deliveries.urgency, deliveries.id",
        any
    );
    let rows: Vec<ClaimedRow> = connection.rows(select)?;
    let webhooks: Vec<Uuid> = rows.iter().map(|row| row.webhook_id.0).collect();
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

impl ClaimedRow {
    fn into_claimed(self, claim: &Claim, secrets: &Secrets) -> Result<Claimed, Failure> {
        let id = self.id.0;
        let webhook = self.webhook_id.0;
        Ok(Claimed {
            company: CompanyId::new(self.company_id.0),
            delivery_id: DeliveryId::new(id),
            lease: claim.lease,
            webhook_id: WebhookId::new(webhook),
            event_id: EventId::new(self.event_id.0),
            kind: event_kind(&self.kind, id)?,
            number: count(self.attempts).saturating_add(1),
            retries: count(self.retries),
            trigger: trigger(&self.trigger, id)?,
            url: PayloadUrl::from_stored(self.url),
            secrets: secrets.get(&webhook).cloned().unwrap_or_default(),
            payload: self.payload,
        })
    }
}
