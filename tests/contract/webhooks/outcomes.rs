//! Counts of attempts by hour.

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::activity::{HourlyOutcomes, LastAttempt, WebhookActivity};
use contact_hub_domain::webhooks::{AttemptOutcome, DeliveryQueue, NextStep, WebhookStore};

use super::outbox::{Outbox, ended, second};
use crate::sample::stored_company;

const HOUR: i64 = 3600;

fn hour(number: i64, succeeded: u64, failed: u64) -> HourlyOutcomes {
    HourlyOutcomes { hour: at(number, 0), succeeded, failed }
}

impl Outbox {
    async fn outcomes(&self, from: i64, to: i64) -> Vec<HourlyOutcomes> {
        let read = self.storage.outcomes(self.company, second(from), second(to)).await;
        read.expect("a read")
    }
}

/// A time in hours and seconds after the start.
fn at(hours: i64, seconds: i64) -> Timestamp {
    second(hours * HOUR + seconds)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_attempt_is_counted_once_in_the_hour_in_which_it_ended() {
    let outbox = Outbox::new().await;
    let (webhook, other) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(webhook, 3, 0, second(0));
    let claimed = outbox.claim(at(1, 0), 9).await;
    let steps = [NextStep::Succeeded, NextStep::RetryAt(at(2, 0)), NextStep::Succeeded];
    // The last one starts in the first hour and ends in the next.
    let begun = [at(1, 5), at(1, 7), at(1, 3599)];
    let parts = claimed.iter().zip(begun).zip(steps);
    let done: Vec<_> = parts.map(|((it, at), next)| ended(it, at, next)).collect();
    outbox.storage.record(done.clone()).await.expect("recorded");
    // A second record, from another instance or after a lost answer, no longer has a lease.
    outbox.storage.record(done).await.expect("ignored");
    outbox.due(other, 1, 0, second(0));
    outbox.attempt(at(1, 9), NextStep::Exhausted).await;
    let expected = [hour(1, 1, 2), hour(2, 1, 0)];
    assert_eq!(outbox.outcomes(0, 9 * HOUR).await, expected);
    let [first, last] = [expected[0].hour, expected[1].hour];
    let one = outbox.storage.outcomes(outbox.company, first, last).await.expect("a read");
    assert_eq!(one, expected[..1]);
    let foreign = stored_company(&outbox.storage).await.id;
    assert_eq!(outbox.storage.outcomes(foreign, first, last).await.expect("a read"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_has_its_own_hours_and_its_last_attempt() {
    let outbox = Outbox::new().await;
    let (webhook, silent) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(webhook, 2, 0, second(0));
    let claimed = outbox.claim(at(0, 0), 9).await;
    let later = ended(&claimed[0], at(30, 9), NextStep::Succeeded);
    let earlier = ended(&claimed[1], at(30, 5), NextStep::Exhausted);
    outbox.storage.record(vec![later]).await.expect("recorded");
    outbox.storage.record(vec![earlier]).await.expect("recorded");
    let activity = async |from| {
        let read = outbox.storage.activity(outbox.company, vec![webhook, silent], from).await;
        read.expect("a read")
    };
    let last = LastAttempt { at: at(30, 10), outcome: AttemptOutcome::Answered(200) };
    let hours = vec![hour(30, 1, 1)];
    assert_eq!(activity(at(30, 0)).await, [WebhookActivity { webhook, last, hours }]);
    // It is returned even if its hour is not requested.
    assert_eq!(activity(at(31, 0)).await, [WebhookActivity { webhook, last, hours: Vec::new() }]);
}

#[tokio::test(flavor = "multi_thread")]
async fn test_deliveries_are_not_counted() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 1, 0, second(0));
    outbox.execute("UPDATE deliveries SET kind = 'test';");
    outbox.attempt(at(1, 0), NextStep::Exhausted).await;
    assert_eq!(outbox.outcomes(0, 9 * HOUR).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_counts_are_deleted() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    for hours in 1..=3 {
        outbox.due(webhook, 1, 0, at(hours, 0));
        outbox.attempt(at(hours, 0), NextStep::Succeeded).await;
    }
    let expiry = outbox.storage.expiry();
    assert_eq!(expiry.delete_outcomes(at(3, 0)).await.expect("deleted"), 2);
    assert_eq!(expiry.delete_outcomes(at(3, 0)).await.expect("deleted"), 0);
    assert_eq!(outbox.outcomes(0, 9 * HOUR).await, [hour(3, 1, 0)]);
}
