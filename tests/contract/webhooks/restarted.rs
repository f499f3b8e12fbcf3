//! Deliveries that are closed and restarted while an attempt runs.

use std::time::Duration;

use contact_hub_domain::ids::{DeliveryId, WebhookId};
use contact_hub_domain::webhooks::{
    Claimed, DeliveryQueue, NextStep, ResendOutcome, Trigger, WebhookStore,
};

use super::outbox::{Outbox, ended, second};

async fn resend(outbox: &Outbox, id: DeliveryId, at: i64) {
    let resent = outbox.storage.resend(outbox.company.into(), id, second(at)).await;
    assert!(matches!(resent, Ok(ResendOutcome::Accepted(_))));
}

/// Attempts that began before their deliveries were closed.
async fn running(outbox: &Outbox, webhook: WebhookId) -> Vec<Claimed> {
    let _due = outbox.due(webhook, 2, 0, second(0));
    let running = outbox.claim(second(1), 2).await;
    outbox.switch(webhook, false, 3).await;
    outbox.switch(webhook, true, 3).await;
    for attempt in &running {
        assert_eq!(outbox.state_of(attempt.delivery_id).await.0, "skipped");
    }
    running
}

/// Records a success and a failure.
async fn record(outbox: &Outbox, running: &[Claimed]) {
    assert!(outbox.claim(second(7), 9).await.is_empty());
    let steps = [(NextStep::Succeeded, "succeeded"), (NextStep::RetryAt(second(99)), "pending")];
    assert_eq!(running.len(), steps.len());
    for (attempt, (next, state)) in running.iter().zip(steps) {
        let id = attempt.delivery_id;
        assert_eq!(outbox.state_of(id).await.0, "in_progress");
        outbox.storage.record(vec![ended(attempt, second(8), next)]).await.expect("recorded");
        assert_eq!(outbox.state_of(id).await.0, state);
        let detail = outbox.storage.read_delivery(outbox.company, id).await.expect("a read");
        assert_eq!(detail.expect("a delivery").attempts.len(), 1);
    }
    assert_eq!(outbox.claim(second(10), 9).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_is_recorded_although_its_delivery_was_resent() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let running = running(&outbox, webhook).await;
    for attempt in &running {
        resend(&outbox, attempt.delivery_id, 5).await;
    }
    record(&outbox, &running).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_is_recorded_although_its_delivery_was_recovered() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let running = running(&outbox, webhook).await;
    let by = outbox.company.into();
    let recovered = outbox.storage.recover(by, webhook, second(0), second(5)).await;
    assert_eq!(recovered.expect("recovered"), Some(2));
    while outbox.storage.settle(10, Duration::MAX).await.expect("settled") {}
    record(&outbox, &running).await;
}

/// The running attempt has the same trigger as the next one.
#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_is_resent_to_a_webhook_that_is_off_is_attempted_again() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let id = outbox.due(webhook, 1, 0, second(0))[0];
    outbox.attempt(second(1), NextStep::Exhausted).await;
    resend(&outbox, id, 2).await;
    let running = outbox.claim(second(2), 1).await;
    outbox.switch(webhook, false, 3).await;
    assert_eq!(outbox.state_of(id).await.0, "skipped");
    resend(&outbox, id, 5).await;
    let failed = ended(&running[0], second(6), NextStep::RetryAt(second(99)));
    outbox.storage.record(vec![failed]).await.expect("recorded");
    let again = outbox.claim(second(8), 9).await;
    assert_eq!((again.len(), again[0].trigger), (1, Trigger::Resend));
    let failed = ended(&again[0], second(8), NextStep::RetryAt(second(99)));
    outbox.storage.record(vec![failed]).await.expect("recorded");
    assert_eq!(outbox.state_of(id).await.0, "skipped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_delivery_does_not_wait_for_an_attempt_whose_lease_has_ended() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let running = running(&outbox, webhook).await;
    let id = running[0].delivery_id;
    resend(&outbox, id, 70).await;
    assert_eq!(outbox.state_of(id).await, ("pending", Some(second(70)), None));
    let again = outbox.claim(second(70), 9).await;
    assert_eq!(again.len(), 1);
    let lost = ended(&running[0], second(71), NextStep::Exhausted);
    outbox.storage.record(vec![lost]).await.expect("it is ignored");
    assert_eq!(outbox.state_of(id).await.0, "in_progress");
    let taken = ended(&again[0], second(71), NextStep::Succeeded);
    outbox.storage.record(vec![taken]).await.expect("recorded");
    assert_eq!(outbox.state_of(id).await.0, "succeeded");
}
