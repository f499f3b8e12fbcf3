//! Rows of the tables of webhooks.

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Bool, Integer, Nullable, SmallInt, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId, SyncId, WebhookId, WebhookSecretId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Delivery, DeliveryState, DisabledReason, EventKind, Health, PayloadUrl, Sealed, Subscriptions,
    Trigger, Webhook, WebhookName,
};

use super::settling::Settlement;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::failure::Failure;

/// The columns of a list of webhooks; the first value bound is the current time.
pub(super) const WEBHOOK_COLUMNS: &str = "webhooks.id, webhooks.company_id, webhooks.name, webhooks.url, webhooks.events, \
     webhooks.disabled_reason, webhooks.failing_since, webhooks.failed_attempts, webhooks.warning, webhooks.created_at, \
     webhooks.updated_at, (SELECT max(expires_at) FROM webhook_secrets WHERE webhook_secrets.webhook_id = webhooks.id \
     AND webhook_secrets.expires_at > ?) AS previous_secret_until";

pub(super) const DELIVERY_COLUMNS: &str = "deliveries.id, deliveries.company_id, deliveries.event_id, \
     deliveries.webhook_id, deliveries.sync_id, deliveries.kind, deliveries.state, deliveries.attempts, \
     deliveries.due_at, deliveries.reason, deliveries.created_at, deliveries.updated_at, deliveries.generation, \
     (SELECT claimed_at FROM delivery_leases WHERE delivery_id = deliveries.id) AS claimed_at";

#[derive(QueryableByName)]
pub(super) struct SubscriberRow {
    #[diesel(sql_type = Id)]
    pub(super) id: IdValue,
    #[diesel(sql_type = SmallInt)]
    events: i16,
    #[diesel(sql_type = Nullable<Text>)]
    pub(super) disabled_reason: Option<String>,
    #[diesel(sql_type = Integer)]
    pub(super) generation: i32,
}

impl SubscriberRow {
    pub(super) fn subscriptions(&self) -> Subscriptions {
        Subscriptions::from_bits(self.events)
    }
}

#[derive(QueryableByName)]
pub(super) struct NameRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
}

impl NameRow {
    pub(super) fn into_name(self) -> (WebhookId, WebhookName) {
        (WebhookId::new(self.id.0), WebhookName::from_stored(self.name))
    }
}

/// The columns of `webhooks` with the health of the receiver.
#[derive(QueryableByName)]
pub(super) struct HealthColumns {
    #[diesel(sql_type = Nullable<Text>)]
    disabled_reason: Option<String>,
    #[diesel(sql_type = Nullable<Moment>)]
    failing_since: Option<MomentValue>,
    #[diesel(sql_type = Integer)]
    failed_attempts: i32,
    #[diesel(sql_type = Bool)]
    warning: bool,
}

impl HealthColumns {
    pub(super) fn into_health(self, webhook: Uuid) -> Result<Health, Failure> {
        Ok(Health {
            disabled: disabled_reason(self.disabled_reason.as_deref(), webhook)?,
            failing_since: moment(self.failing_since),
            failed_attempts: count(self.failed_attempts),
            warning: self.warning,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct WebhookRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SmallInt)]
    events: i16,
    #[diesel(embed)]
    health: HealthColumns,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    updated_at: MomentValue,
    #[diesel(sql_type = Nullable<Moment>)]
    previous_secret_until: Option<MomentValue>,
}

impl WebhookRow {
    pub(super) fn into_webhook(self) -> Result<Webhook, Failure> {
        let id = self.id.0;
        let health = self.health.into_health(id)?;
        Ok(Webhook {
            id: WebhookId::new(id),
            company: CompanyId::new(self.company_id.0),
            name: WebhookName::from_stored(self.name),
            url: PayloadUrl::from_stored(self.url),
            events: Subscriptions::from_bits(self.events),
            health,
            previous_secret_until: moment(self.previous_secret_until),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct SecretRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    pub(super) webhook_id: IdValue,
    #[diesel(sql_type = Text)]
    key_id: String,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

impl SecretRow {
    pub(super) fn into_secret(self) -> (WebhookSecretId, Sealed) {
        let sealed = Sealed { key_id: self.key_id, bytes: self.sealed };
        (WebhookSecretId::new(self.id.0), sealed)
    }
}

#[derive(QueryableByName)]
pub(super) struct DeliveryRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    event_id: IdValue,
    #[diesel(sql_type = Id)]
    pub(super) webhook_id: IdValue,
    #[diesel(sql_type = Nullable<Id>)]
    sync_id: Option<IdValue>,
    #[diesel(sql_type = Text)]
    pub(super) kind: String,
    #[diesel(sql_type = Text)]
    pub(super) state: String,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Nullable<Moment>)]
    pub(super) due_at: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Text>)]
    reason: Option<String>,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    pub(super) updated_at: MomentValue,
    #[diesel(sql_type = Integer)]
    pub(super) generation: i32,
    /// When an attempt that is not recorded yet was claimed.
    #[diesel(sql_type = Nullable<Moment>)]
    pub(super) claimed_at: Option<MomentValue>,
}

impl DeliveryRow {
    /// The delivery, with unfinished settlements applied.
    pub(super) fn seen(mut self, settlements: &[Settlement]) -> Result<Delivery, Failure> {
        if let Some(settlement) = settlements.iter().find(|settlement| settlement.covers(&self)) {
            settlement.state.as_str().clone_into(&mut self.state);
            self.reason.clone_from(&settlement.reason);
            self.due_at = Some(MomentValue(settlement.at));
            self.updated_at = MomentValue(settlement.at);
            self.claimed_at = None;
        }
        self.into_delivery()
    }

    pub(super) fn into_delivery(self) -> Result<Delivery, Failure> {
        let id = self.id.0;
        let stored = delivery_state(&self.state, id)?;
        let claimed_at = moment(self.claimed_at).filter(|_| stored.is_open());
        let state = claimed_at.map_or(stored, |_| DeliveryState::InProgress);
        let waits = matches!(state, DeliveryState::Pending | DeliveryState::Retrying);
        Ok(Delivery {
            id: DeliveryId::new(id),
            company: CompanyId::new(self.company_id.0),
            event_id: EventId::new(self.event_id.0),
            webhook_id: WebhookId::new(self.webhook_id.0),
            sync_id: self.sync_id.map(|sync| SyncId::new(sync.0)),
            kind: event_kind(&self.kind, id)?,
            state,
            attempts: count(self.attempts),
            next_attempt_at: moment(self.due_at).filter(|_| waits),
            reason: self.reason,
            created_at: self.created_at.0,
            updated_at: claimed_at.unwrap_or(self.updated_at.0),
        })
    }
}

pub(super) fn moment(value: Option<MomentValue>) -> Option<Timestamp> {
    value.map(|moment| moment.0)
}

/// A count that is never negative.
pub(super) fn count(stored: i32) -> u32 {
    u32::try_from(stored).unwrap_or_default()
}

/// A count as a store keeps it.
pub(super) fn stored_count(count: u32) -> i64 {
    i64::from(i32::try_from(count).unwrap_or(i32::MAX))
}

pub(super) fn corrupt(column: &str, id: Uuid) -> Failure {
    Failure::Corrupt(format!("{column} of {id}"))
}

pub(super) fn disabled_reason(
    word: Option<&str>,
    id: Uuid,
) -> Result<Option<DisabledReason>, Failure> {
    let read =
        |word| DisabledReason::parse(word).ok_or_else(|| corrupt("webhooks.disabled_reason", id));
    word.map(read).transpose()
}

pub(super) fn delivery_state(word: &str, id: Uuid) -> Result<DeliveryState, Failure> {
    DeliveryState::parse(word).ok_or_else(|| corrupt("deliveries.state", id))
}

pub(super) fn event_kind(word: &str, id: Uuid) -> Result<EventKind, Failure> {
    EventKind::parse(word).ok_or_else(|| corrupt("deliveries.kind", id))
}

pub(super) fn trigger(word: &str, id: Uuid) -> Result<Trigger, Failure> {
    Trigger::parse(word).ok_or_else(|| corrupt("deliveries.trigger", id))
}
