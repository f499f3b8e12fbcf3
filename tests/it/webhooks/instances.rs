//! Several instances of the service on one database share the work.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use contact_hub_tests::Receiver;
use tokio::time::sleep;

use super::desk::Desk;
use super::queued::write;
use crate::process::Service;
use crate::support::{is_long, until};

const WEBHOOKS: usize = 10;

/// How many attempts an instance has made.
async fn attempts(service: &Service) -> u64 {
    let metrics = service.get("/metrics").await.expect(200).text;
    let lines = metrics.lines().filter(|line| line.starts_with("webhook_attempts_total"));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_share_the_work_and_send_nothing_twice() {
    let count = if is_long() { 10_000 } else { 1000 };
    let receiver = Receiver::start(&[200]).await;
    // Together they may have as much in progress as the webhooks allow.
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
    until(Duration::from_secs(120), async || {
        sleep(Duration::from_millis(50)).await;
        desk.count("succeeded").await == all
    })
    .await;
    let took = started.elapsed();
    let requests = receiver.requests();
    let ids: BTreeSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!((requests.len(), ids.len()), (count, count));
    let shares = [attempts(&desk.service).await, attempts(&second).await];
    assert_eq!(shares[0] + shares[1], all);
    assert!(shares.iter().all(|share| *share > all / 20), "{shares:?}");
    eprintln!("{count} deliveries by two instances in {took:?}: {shares:?}");
    second.stop();
    desk.service.stop();
}
