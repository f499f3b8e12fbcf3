//! Examples for webhooks and deliveries.

use serde_json::{Value, json};

const WEBHOOK_ID: &str = "01931e3a-7c00-7000-8000-0000000000d1";
const DELIVERY_ID: &str = "01931e3a-7c00-7000-8000-0000000000e1";
const EVENT_ID: &str = "01931e3a-7c00-7000-8000-0000000000f1";
const SYNC_ID: &str = "01931e3a-7c00-7000-8000-0000000000c1";
const AT: &str = "2026-11-20T09:30:00+00:00";

/// A request with a body of this schema.
pub(super) fn request(schema: &str) -> Option<Value> {
    match schema {
        "WebhookInput" => Some(json!({
            "name": "Our platform",
            "url": "https://platform.example/hooks/contact-hub",
            "events": ["syncRequested"],
        })),
        "WebhookChange" => Some(json!({"enabled": false})),
        "RotationInput" => Some(json!({"grace_seconds": 3600})),
        "RecoveryInput" => Some(json!({"webhook_id": WEBHOOK_ID, "since": AT})),
        _ => None,
    }
}

/// What an answer with this schema holds.
pub(super) fn payload(schema: &str) -> Option<Value> {
    match schema {
        "Webhook" | "WebhookMaybeWithSecret" => Some(webhook()),
        "WebhookWithSecret" => {
            let shown = json!({
                "secret": "correct horse battery",
                "whsec_secret": "whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5",
            });
            joined(webhook(), shown)
        }
        "Delivery" => Some(delivery()),
        "DeliveryDetail" => {
            let more = json!({"payload": "{\"event\":\"syncRequested\"}", "attempts": [attempt("scheduled")]});
            joined(delivery(), more)
        }
        "TestAttempt" => {
            let ids = json!({"delivery_id": DELIVERY_ID, "event_id": EVENT_ID});
            joined(attempt("test"), ids)
        }
        "Recovery" => Some(json!({"recovered": 3})),
        _ => None,
    }
}

fn joined(mut one: Value, mut other: Value) -> Option<Value> {
    one.as_object_mut()?.append(other.as_object_mut()?);
    Some(one)
}

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
