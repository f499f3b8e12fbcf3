//! How webhooks and deliveries look on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Answer, Attempt, AttemptOutcome, Delivery, DeliveryDetail, DisabledReason, ErrorClass,
    EventKind, MAX_EVENTS, RecoveryDraft, RotationDraft, Secret, SentTest, Webhook, WebhookDraft,
};

use crate::extract::Object;
use crate::openapi::values::{
    DeliveryStateName, DisabledReasonName, ErrorClassName, EventName, TriggerName,
};

/// A webhook. Its secret is not shown.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    #[schema(format = "uri")]
    url: &'a str,
    #[schema(value_type = Vec<EventName>)]
    events: Vec<&'static str>,
    enabled: bool,
    /// Why it is off; null while it is on.
    #[schema(required, value_type = Option<DisabledReasonName>)]
    disabled_reason: Option<&'static str>,
    /// True when it is soon switched off, because nothing succeeds.
    warning: bool,
    /// The first failed attempt since the last success, or since it was switched on.
    #[schema(required, format = DateTime)]
    failing_since: Option<String>,
    /// How many attempts have failed since then.
    failed_attempts: u32,
    /// Until when a secret from before a rotation is valid too.
    #[schema(required, format = DateTime)]
    previous_secret_valid_until: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl<'a> From<&'a Webhook> for WebhookJson<'a> {
    fn from(webhook: &'a Webhook) -> Self {
        let health = &webhook.health;
        Self {
            id: webhook.id.to_string(),
            name: webhook.name.as_str(),
            url: webhook.url.as_str(),
            events: webhook.events.iter().map(EventKind::as_str).collect(),
            enabled: health.is_enabled(),
            disabled_reason: health.disabled.map(DisabledReason::as_str),
            warning: health.warning,
            failing_since: health.failing_since.map(Timestamp::to_seconds_text),
            failed_attempts: health.failed_attempts,
            previous_secret_valid_until: webhook
                .previous_secret_until
                .map(Timestamp::to_seconds_text),
            created_at: webhook.created_at.to_seconds_text(),
            updated_at: webhook.updated_at.to_seconds_text(),
        }
    }
}

/// A webhook with a new secret, which is shown this once.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookWithSecret)]
pub(crate) struct WebhookWithSecretJson<'a> {
    #[serde(flatten)]
    webhook: WebhookJson<'a>,
    /// The secret as it was entered or generated; its UTF-8 bytes are the key of `Service-Signature`.
    secret: &'a str,
    /// The same secret in the form that libraries of the Standard Webhooks specification take.
    whsec_secret: String,
}

impl<'a> WebhookWithSecretJson<'a> {
    pub(crate) fn new(webhook: &'a Webhook, secret: &'a Secret) -> Self {
        Self {
            webhook: webhook.into(),
            secret: secret.reveal(),
            whsec_secret: secret.library_form().to_string(),
        }
    }
}

/// One event on its way to one webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    /// The same on every attempt; receivers see it as `id` and as `webhook-id`.
    #[schema(format = "uuid")]
    event_id: String,
    /// The kind of the event; `test` for one that was sent to try a webhook out.
    event: &'static str,
    /// The webhook, which may have been deleted since.
    #[schema(format = "uuid")]
    webhook_id: String,
    #[schema(required, format = "uuid")]
    sync_id: Option<String>,
    #[schema(value_type = DeliveryStateName)]
    state: &'static str,
    /// How many attempts have been made.
    attempt_count: u32,
    /// When it is tried next, while it waits for that.
    #[schema(required, format = DateTime)]
    next_attempt_at: Option<String>,
    /// Why it was given up.
    #[schema(required)]
    reason: Option<&'a str>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl<'a> From<&'a Delivery> for DeliveryJson<'a> {
    fn from(delivery: &'a Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            event_id: delivery.event_id.to_string(),
            event: delivery.kind.as_str(),
            webhook_id: delivery.webhook_id.to_string(),
            sync_id: delivery.sync_id.map(|sync| sync.to_string()),
            state: delivery.state.as_str(),
            attempt_count: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at.map(Timestamp::to_seconds_text),
            reason: delivery.reason.as_deref(),
            created_at: delivery.created_at.to_seconds_text(),
            updated_at: delivery.updated_at.to_seconds_text(),
        }
    }
}

/// A delivery with its payload and attempts.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryDetail)]
pub(crate) struct DeliveryDetailJson<'a> {
    #[serde(flatten)]
    delivery: DeliveryJson<'a>,
    /// The text that is sent, byte by byte; null when the webhook was deleted, which erases it.
    #[schema(required)]
    payload: Option<&'a str>,
    /// The first one first.
    attempts: Vec<AttemptJson<'a>>,
}

impl<'a> From<&'a DeliveryDetail> for DeliveryDetailJson<'a> {
    fn from(detail: &'a DeliveryDetail) -> Self {
        Self {
            delivery: (&detail.delivery).into(),
            payload: detail.payload.as_deref(),
            attempts: detail.attempts.iter().map(AttemptJson::from).collect(),
        }
    }
}

/// An attempt at a delivery.
#[derive(Serialize, ToSchema)]
#[schema(as = Attempt)]
pub(crate) struct AttemptJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    /// Its place among the attempts, from 1.
    #[schema(minimum = 1)]
    number: u32,
    #[schema(value_type = TriggerName)]
    trigger: &'static str,
    #[schema(format = DateTime)]
    started_at: String,
    duration_ms: u64,
    /// Null when there was no answer.
    #[schema(required)]
    status_code: Option<u16>,
    /// Why there was no answer.
    #[schema(required, value_type = Option<ErrorClassName>)]
    error_class: Option<&'static str>,
    /// For how many seconds the receiver asked to be left alone.
    #[schema(required)]
    retry_after: Option<u64>,
    /// The beginning of what the receiver answered: its text, to be shown and never to be rendered.
    #[schema(required)]
    answer: Option<&'a str>,
}

impl<'a> From<&'a Attempt> for AttemptJson<'a> {
    fn from(attempt: &'a Attempt) -> Self {
        let result = &attempt.result;
        let (status_code, error_class) = match result.outcome {
            AttemptOutcome::Answered(status) => (Some(status), None),
            AttemptOutcome::Failed(class) => (None, Some(ErrorClass::as_str(class))),
        };
        Self {
            id: attempt.id.to_string(),
            number: attempt.number,
            trigger: attempt.trigger.as_str(),
            started_at: result.started_at.to_seconds_text(),
            duration_ms: u64::try_from(result.duration.as_millis()).unwrap_or(u64::MAX),
            status_code,
            error_class,
            retry_after: result.retry_after.map(|time| time.as_secs()),
            answer: result.answer.as_ref().map(Answer::as_str),
        }
    }
}

/// The attempt of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = TestAttempt)]
pub(crate) struct TestAttemptJson<'a> {
    #[serde(flatten)]
    attempt: AttemptJson<'a>,
    /// The delivery under which the attempt can be seen.
    #[schema(format = "uuid")]
    delivery_id: String,
    #[schema(format = "uuid")]
    event_id: String,
}

impl<'a> From<&'a SentTest> for TestAttemptJson<'a> {
    fn from(test: &'a SentTest) -> Self {
        Self {
            attempt: (&test.attempt).into(),
            delivery_id: test.delivery.id.to_string(),
            event_id: test.event.id.to_string(),
        }
    }
}

/// The result of a recovery.
#[derive(Serialize, ToSchema)]
#[schema(as = Recovery)]
pub(crate) struct RecoveryJson {
    /// How many deliveries had failed or were skipped since then.
    pub(crate) recovered: u64,
}

/// Decodes a webhook.
pub(crate) fn webhook_draft(body: &Object<'_>) -> WebhookDraft {
    WebhookDraft {
        name: body.input("name"),
        url: body.input("url"),
        secret: body.input("secret"),
        events: body.given_scalars("events", MAX_EVENTS),
        enabled: body.input("enabled"),
    }
}

/// Decodes a rotation.
pub(crate) fn rotation_draft(body: &Object<'_>) -> RotationDraft {
    RotationDraft { secret: body.input("secret"), grace_seconds: body.input("grace_seconds") }
}

/// Decodes a recovery.
pub(crate) fn recovery_draft(body: &Object<'_>) -> RecoveryDraft {
    RecoveryDraft { webhook_id: body.input("webhook_id"), since: body.input("since") }
}
