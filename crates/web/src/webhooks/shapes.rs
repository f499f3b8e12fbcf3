//! The shapes of webhooks and deliveries in the OpenAPI document.

use serde_json::{Value, json};
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, SchemaType, Type};

use contact_hub_domain::webhooks::{
    DEFAULT_GRACE, MAX_EVENTS, MAX_GRACE, MAX_PAYLOAD_URL, MAX_SECRET, MAX_WEBHOOK_NAME, MIN_SECRET,
};

use super::json::{
    DeliveryDetailJson, DeliveryJson, RecoveryJson, TestAttemptJson, WebhookJson,
    WebhookWithSecretJson,
};
use crate::openapi::shape::{Schemas, Shape, format, joined, name, nullable, required, string};
use crate::openapi::values::EventName;

const WEBHOOK_ID: &str = "01931e3a-7c00-7000-8000-0000000000d1";
const DELIVERY_ID: &str = "01931e3a-7c00-7000-8000-0000000000e1";
const EVENT_ID: &str = "01931e3a-7c00-7000-8000-0000000000f1";
const SYNC_ID: &str = "01931e3a-7c00-7000-8000-0000000000c1";
const AT: &str = "2026-11-20T09:30:00+00:00";

pub(crate) const WEBHOOK: Shape = Shape::new(Schemas::of::<WebhookJson<'_>>, webhook);

pub(crate) const WEBHOOK_WITH_SECRET: Shape =
    Shape::new(Schemas::of::<WebhookWithSecretJson<'_>>, || {
        let shown = json!({
            "secret": "correct horse battery",
            "whsec_secret": "whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5",
        });
        joined(webhook(), shown)
    });

/// A webhook, with its secret when the change gave it a new one.
pub(crate) const WEBHOOK_MAYBE_WITH_SECRET: Shape = Shape::new(maybe_with_secret, webhook);

pub(crate) const WEBHOOK_INPUT: Shape = Shape::new(
    |schemas| {
        let webhook = required(webhook_input(schemas), &["name", "url", "events"])
            .property("secret", optional_secret())
            .property("enabled", nullable(Type::Boolean));
        schemas.add("WebhookInput", webhook)
    },
    || {
        json!({
            "name": "Our platform",
            "url": "https://platform.example/hooks/contact-hub",
            "events": ["syncRequested"],
        })
    },
);

pub(crate) const WEBHOOK_CHANGE: Shape = Shape::new(
    |schemas| {
        let webhook = webhook_input(schemas);
        schemas.add("WebhookChange", webhook)
    },
    || json!({"enabled": false}),
);

pub(crate) const ROTATION_INPUT: Shape =
    Shape::new(rotation_input, || json!({"grace_seconds": 3600}));

pub(crate) const DELIVERY: Shape = Shape::new(Schemas::of::<DeliveryJson<'_>>, delivery);

pub(crate) const DELIVERY_DETAIL: Shape = Shape::new(Schemas::of::<DeliveryDetailJson<'_>>, || {
    let payload = r#"{"event":"syncRequested"}"#;
    joined(delivery(), json!({"payload": payload, "attempts": [attempt("scheduled")]}))
});

pub(crate) const TEST_ATTEMPT: Shape = Shape::new(Schemas::of::<TestAttemptJson<'_>>, || {
    let ids = json!({"delivery_id": DELIVERY_ID, "event_id": EVENT_ID});
    joined(attempt("test"), ids)
});

pub(crate) const RECOVERY: Shape =
    Shape::new(Schemas::of::<RecoveryJson>, || json!({"recovered": 3}));

pub(crate) const RECOVERY_INPUT: Shape =
    Shape::new(recovery_input, || json!({"webhook_id": WEBHOOK_ID, "since": AT}));

fn webhook() -> Value {
    json!({
        "id": WEBHOOK_ID,
        "name": "Our platform",
        "url": "https://platform.example/hooks/contact-hub",
        "events": ["syncRequested"],
        "enabled": true,
        "disabled_reason": null,
        "warning": false,
        "failing_since": null,
        "failed_attempts": 0,
        "previous_secret_valid_until": null,
        "created_at": AT,
        "updated_at": AT,
    })
}

fn delivery() -> Value {
    json!({
        "id": DELIVERY_ID,
        "event_id": EVENT_ID,
        "event": "syncRequested",
        "webhook_id": WEBHOOK_ID,
        "sync_id": SYNC_ID,
        "state": "retrying",
        "attempt_count": 1,
        "next_attempt_at": "2026-11-20T09:30:05+00:00",
        "reason": null,
        "created_at": AT,
        "updated_at": AT,
    })
}

fn attempt(trigger: &str) -> Value {
    json!({
        "id": "01931e3a-7c00-7000-8000-0000000000aa",
        "number": 1,
        "trigger": trigger,
        "started_at": AT,
        "duration_ms": 120,
        "status_code": 503,
        "error_class": null,
        "retry_after": 5,
        "answer": "busy",
    })
}

fn secret() -> ObjectBuilder {
    let description = format!(
        "A text of one's own choice, at least {MIN_SECRET} characters; a generated one when there is none"
    );
    string()
        .min_length(Some(MIN_SECRET))
        .max_length(Some(MAX_SECRET))
        .description(Some(description))
}

fn optional_secret() -> ObjectBuilder {
    secret().schema_type(SchemaType::from_iter([Type::String, Type::Null]))
}

fn webhook_input(schemas: &mut Schemas) -> ObjectBuilder {
    let url = format(string(), "uri")
        .max_length(Some(MAX_PAYLOAD_URL))
        .pattern(Some("^\\s*[Hh][Tt][Tt][Pp][Ss]?://"))
        .description(Some(
            "https, without user name and password, and not to a private or otherwise special address, unless the \
             operator allows it",
        ));
    let events = ArrayBuilder::new()
        .items(schemas.of::<EventName>())
        .min_items(Some(1))
        .max_items(Some(MAX_EVENTS));
    ObjectBuilder::new()
        .property("name", name(MAX_WEBHOOK_NAME))
        .property("url", url)
        .property("secret", secret())
        .property("events", events)
        .property("enabled", ObjectBuilder::new().schema_type(Type::Boolean))
}

fn maybe_with_secret(schemas: &mut Schemas) -> Ref {
    let shown = ObjectBuilder::new()
        .property("secret", string())
        .property("whsec_secret", string())
        .description(Some("Only when the change has a new secret"));
    let webhook = AllOfBuilder::new().item((WEBHOOK.schema)(schemas)).item(shown);
    schemas.add("WebhookMaybeWithSecret", webhook)
}

fn rotation_input(schemas: &mut Schemas) -> Ref {
    let seconds = |time: std::time::Duration| time.as_secs();
    let grace = nullable(Type::Integer)
        .minimum(Some(0))
        .maximum(usize::try_from(seconds(MAX_GRACE)).ok())
        .default(Some(seconds(DEFAULT_GRACE).into()))
        .description(Some("How long the old secret stays valid; 0 ends it at once"));
    let rotation =
        ObjectBuilder::new().property("secret", optional_secret()).property("grace_seconds", grace);
    schemas.add("RotationInput", rotation)
}

fn recovery_input(schemas: &mut Schemas) -> Ref {
    let recovery = ObjectBuilder::new()
        .property("webhook_id", format(string(), "uuid"))
        .required("webhook_id")
        .property("since", format(string(), "date-time"))
        .required("since");
    schemas.add("RecoveryInput", recovery)
}
