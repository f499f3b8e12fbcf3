//! Times that were written by a clock ahead of the current one.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::DeliveryQueue as _;
use contact_hub_storage::{record_plans, take_plans};

use super::outbox::{Outbox, second};

/// Sets when a delivery was written.
fn written(outbox: &Outbox, id: DeliveryId, at: Timestamp) {
    let (id, at) = (outbox.id(id.uuid()), outbox.moment(at));
    outbox.execute(&format!("UPDATE deliveries SET updated_at = {at} WHERE id = {id};"));
}

async fn correct(outbox: &Outbox, now: Timestamp, limit: u32) -> u64 {
    outbox.storage.correct_due_times(now, limit).await.expect("corrected")
}

#[tokio::test(flavor = "multi_thread")]
async fn times_written_by_a_clock_that_is_ahead_are_moved_relative_to_now() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let first = outbox.due(webhook, 1, 0, second(300))[0];
    let retried = outbox.due(webhook, 1, 1, second(310))[0];
    // One that was written by a correct clock, and one that is in progress.
    let later = outbox.due(webhook, 1, 1, second(400))[0];
    let running = outbox.due(webhook, 1, 0, second(2))[0];
    for (id, at) in [(first, 300), (retried, 300), (later, 5), (running, 1)] {
        written(&outbox, id, second(at));
    }
    let claimed = outbox.claim(second(9), 10).await;
    assert_eq!(claimed.iter().map(|it| it.delivery_id).collect::<Vec<_>>(), [running]);
    written(&outbox, running, second(300));
    assert_eq!(correct(&outbox, second(10), 1).await, 1);
    assert_eq!(correct(&outbox, second(10), 10).await, 1);
    assert_eq!(correct(&outbox, second(10), 10).await, 0);
    assert_eq!(outbox.state_of(first).await.1, Some(second(10)));
    assert_eq!(outbox.state_of(retried).await.1, Some(second(20)));
    assert_eq!(outbox.state_of(later).await.1, Some(second(400)));
    assert_eq!(outbox.state_of(running).await.0, "in_progress");
    let due = outbox.claim(second(10), 10).await;
    assert_eq!(due.iter().map(|it| it.delivery_id).collect::<Vec<_>>(), [first]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_written_by_a_clock_that_is_ahead_does_not_delay_deliveries() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 1, 0, second(1));
    let pause = |until| {
        let (id, until) = (outbox.id(webhook.uuid()), outbox.moment(until));
        outbox.execute(&format!("UPDATE webhooks SET paused_until = {until} WHERE id = {id};"));
    };
    pause(second(62));
    assert!(outbox.claim(second(2), 10).await.is_empty(), "it is paused for a minute");
    pause(second(63));
    assert_eq!(outbox.claim(second(2), 10).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_reads_only_what_is_due_later() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 3000, 0, second(0));
    for id in outbox.due(webhook, 3, 0, second(300)) {
        written(&outbox, id, second(300));
    }
    if outbox.database.is_postgres() {
        outbox.execute("ANALYZE deliveries");
    }
    drop(take_plans(&outbox.database.url()));
    record_plans(&outbox.database.url());
    assert_eq!(correct(&outbox, second(10), 1000).await, 3);
    let plans = take_plans(&outbox.database.url());
    record_plans(&outbox.database.url());
    assert_eq!(plans.len(), 2, "{plans:#?}");
    assert!(plans[0].plan.iter().any(|line| line.contains("deliveries_due_first")), "{plans:#?}");
    for plan in plans {
        let scans = |line: &&String| {
            line.contains("Seq Scan on deliveries") || line.trim().starts_with("SCAN deliveries")
        };
        assert_eq!(plan.plan.iter().find(scans), None, "{plan:#?}");
    }
}
