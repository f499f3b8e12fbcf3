//! Test a webhook.

use serde_json::json;

use super::{
    Attempt, Claimed, Delivery, DeliveryState, Event, EventKind, SentTest, TestTarget, Trigger,
    WebhooksError,
};
use crate::context::{Context, WebhookPorts};
use crate::ids::{AttemptId, DeliveryId, EventId, LeaseId, WebhookId};

/// Sends a test event to the webhook at once, even if it is off, and returns the result. It is stored as a delivery
/// with one attempt, is never retried, and changes neither a sync nor the webhook's health.
///
/// A company may be deleted during the test, which then has the result of an unknown webhook.
pub async fn test(
    cx: &Context<'_, WebhookPorts>,
    id: WebhookId,
) -> Result<SentTest, WebhooksError> {
    let company = cx.caller.company.id;
    let _place = cx.ports.tests.take(company).ok_or(WebhooksError::TooManyTests)?;
    let target =
        cx.ports.webhooks.test_target(company, id, cx.ports.environment.clock.now()).await?;
    let target = target.ok_or(WebhooksError::WebhookNotFound)?;
    let event = event(cx, id);
    let delivery_id = DeliveryId::new(cx.ports.environment.ids.next());
    let result = cx.ports.sender.send(&claimed(cx, id, delivery_id, &event, target)).await;
    let is_success = result.outcome.is_success();
    let delivery = Delivery {
        id: delivery_id,
        company,
        event_id: event.id,
        webhook_id: id,
        sync_id: None,
        kind: event.kind,
        state: if is_success { DeliveryState::Succeeded } else { DeliveryState::Exhausted },
        attempts: 1,
        next_attempt_at: None,
        reason: (!is_success).then(|| "A test is not retried.".to_owned()),
        created_at: event.created_at,
        updated_at: result.ended_at(),
    };
    let id = AttemptId::new(cx.ports.environment.ids.next());
    let attempt = Attempt { id, number: 1, trigger: Trigger::Test, result };
    let sent = SentTest { event, delivery, attempt };
    if cx.ports.webhooks.record_test_delivery(cx.author(), sent.clone()).await? {
        Ok(sent)
    } else {
        Err(WebhooksError::WebhookNotFound)
    }
}

fn event(cx: &Context<'_, WebhookPorts>, webhook: WebhookId) -> Event {
    let id = EventId::new(cx.ports.environment.ids.next());
    let created_at = cx.ports.environment.clock.now();
    let payload = json!({
        "id": id.to_string(),
        "event": EventKind::Test.as_str(),
        "created_at": created_at.to_seconds_text(),
        "webhook_id": webhook.to_string(),
    });
    Event {
        id,
        company: cx.caller.company.id,
        kind: EventKind::Test,
        sync_id: None,
        payload: payload.to_string(),
        created_at,
    }
}

/// A delivery as a worker would claim it. Nothing is stored yet, so nothing is sent again after a crash.
fn claimed(
    cx: &Context<'_, WebhookPorts>,
    webhook_id: WebhookId,
    delivery_id: DeliveryId,
    event: &Event,
    target: TestTarget,
) -> Claimed {
    Claimed {
        company: event.company,
        delivery_id,
        lease: LeaseId::new(cx.ports.environment.ids.next()),
        webhook_id,
        event_id: event.id,
        kind: event.kind,
        number: 1,
        retries: 0,
        trigger: Trigger::Test,
        url: target.url,
        secrets: target.secrets,
        payload: event.payload.clone(),
    }
}
