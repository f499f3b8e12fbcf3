//! Reads what was claimed.

use std::collections::HashMap;
use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::{Integer, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId, WebhookId, WebhookSecretId};
use contact_hub_domain::webhooks::{Claim, Claimed, PayloadUrl, Sealed};

use crate::columns::{Id, IdValue};
use crate::failure::Failure;
use crate::statement::{Statement, sql};
use crate::webhooks::rows::{count, event_kind, trigger};

/// The valid secrets of webhooks.
pub(super) type Secrets = HashMap<Uuid, Vec<(WebhookSecretId, Sealed)>>;

/// How long attempts continue the trace that enqueued the event. A later retry begins a new trace.
const TRACED: Duration = Duration::from_hours(1);

/// The statement that reads deliveries.
pub(super) fn read(any: Statement, claim: &Claim) -> Statement {
    let read = sql!(
        "SELECT deliveries.id, deliveries.company_id, deliveries.webhook_id, deliveries.event_id, deliveries.kind, \
         deliveries.trigger, deliveries.attempts, deliveries.retries, webhooks.url, COALESCE(events.payload, '') AS payload, \
         CASE WHEN events.created_at > ? THEN events.traceparent END AS traceparent \
         FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id \
         JOIN events ON events.id = deliveries.event_id WHERE deliveries.id {} \
         ORDER BY deliveries.urgency, deliveries.id",
        any
    );
    read.bind(claim.now.minus(TRACED))
}

#[derive(QueryableByName)]
pub(super) struct ClaimedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    pub(super) webhook_id: IdValue,
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
    #[diesel(sql_type = Nullable<Text>)]
    traceparent: Option<String>,
}

impl ClaimedRow {
    pub(super) fn into_claimed(self, claim: &Claim, secrets: &Secrets) -> Result<Claimed, Failure> {
        let id = self.id.0;
        let webhook = self.webhook_id.0;
        if let Some(traceparent) = self.traceparent {
            contact_hub_traces::enqueued_in(self.event_id.0, &traceparent);
        }
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
