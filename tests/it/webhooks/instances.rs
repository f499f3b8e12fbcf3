//! Several instances of the service on one database share the work.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use contact_hub_tests::{Receiver, Reply};
use tokio::time::sleep;

use super::desk::Desk;
use super::outcomes::assert_counted_once;
use super::queued::write;
use crate::process::Service;
use crate::support::{is_long, until};

const WEBHOOKS: usize = 10;

/// A metric of an instance, summed over all labels.
async fn figure(service: &Service, name: &str) -> u64 {
    let metrics = service.get("/metrics").await.expect(200).text;
    let lines = metrics
        .lines()
        .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '{'])));
    let figures = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    figures.reduce(|sum, figure| sum + figure).expect(name)
}

/// The attempts of each instance: together as many as were sent. Each delivery was sent once, or again after it was taken over.
async fn shares_of(instances: [&Service; 2], deliveries: u64, sent: u64) -> Vec<u64> {
    let (mut shares, mut taken_over) = (Vec::new(), 0);
    for instance in instances {
        let attempts = figure(instance, "contact_hub_webhook_attempts_total").await;
        assert_eq!(
            figure(instance, "contact_hub_webhook_deliveries_claimed_total").await,
            attempts
        );
        assert_eq!(figure(instance, "contact_hub_webhook_attempts_in_flight").await, 0);
        assert!(figure(instance, "contact_hub_webhook_deliveries_due").await <= deliveries);
        taken_over += figure(instance, "contact_hub_webhook_leases_taken_over_total").await;
        shares.push(attempts);
    }
    assert_eq!(shares.iter().sum::<u64>(), sent);
    // An instance that the machine stops for two seconds counts as dead, and its attempts are repeated.
    assert!(sent <= deliveries + taken_over, "{sent} requests, {taken_over} taken over");
    shares
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_share_the_work_and_send_nothing_twice() {
    let count = if is_long() { 10_000 } else { 1000 };
    // It answers slowly, so that no instance is finished before the other one has polled.
    let slow = |_place| Reply { after: Duration::from_millis(20), ..Reply::from(200) };
    let receiver = Receiver::scripted(slow).await;
    // Together they may have as many attempts in progress as the webhooks allow.
    let mut desk = Desk::with(&receiver, "1s", &["--webhook-concurrency", "40"]).await;
    let mut second = desk.second();
    let mut webhooks = Vec::new();
    for _ in 0..WEBHOOKS {
        webhooks.push(desk.webhook(&receiver).await);
    }
    let started = Instant::now();
    for webhook in &webhooks {
        write(&desk.database, webhook, count / WEBHOOKS);
    }
    let all = u64::try_from(count).expect("few");
    until(Duration::from_mins(2), async || {
        sleep(Duration::from_millis(50)).await;
        desk.count("succeeded").await == all
    })
    .await;
    let took = started.elapsed();
    let requests = receiver.requests();
    let ids: BTreeSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!(ids.len(), count);
    let sent = u64::try_from(requests.len()).expect("few");
    let shares = shares_of([&desk.service, &second], all, sent).await;
    assert!(shares.iter().all(|share| *share > all / 20), "{shares:?}");
    assert_counted_once(&desk.database);
    eprintln!("{count} deliveries by two instances in {took:?}: {shares:?}");
    second.stop();
    desk.service.stop();
}
