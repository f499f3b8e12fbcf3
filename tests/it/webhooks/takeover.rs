//! A crashed instance, and one whose clock is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use contact_hub::wire::Environment;
use contact_hub_domain::ids::{InstanceId, LeaseId};
use contact_hub_domain::webhooks::{Claim, Prefetch, Walk};
use contact_hub_tests::{Receiver, Reply, TestClock, TestHub, with_hub, with_idle_hub};

use super::desk::{Desk, SOON};
use super::outbox::{created, webhook_with};
use super::queued::{count_in_state, queue, write};
use crate::support::{execute, hub_of, until};

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_a_dead_instance_are_soon_sent_by_another() {
    let receiver = Receiver::scripted(|place| match place {
        0..4 => Reply { after: Duration::from_mins(1), ..Reply::from(200) },
        _ => Reply::from(200),
    })
    .await;
    let mut desk = Desk::new(&receiver, "1s").await;
    for _ in 0..4 {
        desk.request_sync().await;
    }
    until(SOON, async || receiver.count() == 4).await;
    let mut second = desk.second();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let died = Instant::now();
    desk.crash();
    until(SOON, async || receiver.count() == 8).await;
    eprintln!("taken over within {:?}", died.elapsed());
    // Much shorter than a lease.
    assert!(died.elapsed() < Duration::from_secs(15));
    let ids: BTreeSet<String> =
        receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 4);
    second.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_whose_clock_is_ahead_sends_nothing_twice_and_nothing_late() {
    with_hub(async |hub| {
        // On SQLite all instances are on one host and share its clock.
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await.manage();
        let slow = |_place| Reply { after: Duration::from_millis(50), ..Reply::from(200) };
        let receiver = Receiver::scripted(slow).await;
        let mut webhooks = Vec::new();
        for _ in 0..5 {
            webhooks.push(created(&client, &webhook_with("url", receiver.url())).await);
        }
        let ahead = TestClock::default();
        ahead.advance(300);
        let environment = Environment { clock: Arc::new(ahead), ..Environment::default() };
        let other = hub_of(&hub.database, &environment);
        let started = Instant::now();
        for webhook in &webhooks {
            queue(hub, webhook, 40);
        }
        other.ports.webhooks.signal.wake();
        until(Duration::from_mins(1), async || count_in_state(&client, "succeeded").await == 200)
            .await;
        eprintln!("200 deliveries by two instances in {:?}", started.elapsed());
        let requests = receiver.requests();
        let ids: BTreeSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
        assert_eq!((requests.len(), ids.len()), (200, 200));
        other.stop().await.expect("it stops");
    })
    .await;
}

/// Claims what is due as an instance whose clock is ahead, and then crashes.
async fn die_with_a_clock_ahead(hub: &TestHub) -> usize {
    let clock = TestClock::default();
    clock.advance(300);
    let now = contact_hub_domain::ports::Clock::now(&clock);
    let ids = &hub.hub.ports.environment.ids;
    let claim = Claim {
        lease: LeaseId::new(ids.next()),
        instance: InstanceId::new(ids.next()),
        now,
        lease_until: now.plus(Duration::from_secs(30)),
        limit: 10,
        reserved: 0,
        per_webhook: 8,
        prefetch: Prefetch::default(),
        per_company: 8,
        per_host: 8,
        hosts: Vec::new(),
        walk: Walk::default(),
    };
    hub.hub.ports.deliveries.claim(claim).await.expect("a claim").claimed.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_a_dead_instance_with_its_clock_ahead_are_soon_sent_by_another() {
    with_idle_hub(async |hub| {
        let receiver = Receiver::scripted(|_place| Reply::from(200)).await;
        let client = hub.client().await.manage();
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        write(&hub.database, &webhook, 3);
        assert_eq!(die_with_a_clock_ahead(hub).await, 3);
        let other = hub_of(&hub.database, &Environment::default());
        // Its lease would expire after five minutes.
        until(SOON, async || receiver.count() == 3).await;
        other.stop().await.expect("it stops");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_written_before_the_clock_was_set_back_are_soon_sent() {
    with_idle_hub(async |hub| {
        let receiver = Receiver::scripted(|_place| Reply::from(200)).await;
        let client = hub.client().await.manage();
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        write(&hub.database, &webhook, 3);
        let later = if hub.database.is_postgres() { "interval '5 minutes'" } else { "300000000" };
        let ahead = format!(
            "UPDATE deliveries SET due_at = due_at + {later}, updated_at = updated_at + {later}"
        );
        execute(&hub.database, &ahead);
        let other = hub_of(&hub.database, &Environment::default());
        until(SOON, async || receiver.count() == 3).await;
        other.stop().await.expect("it stops");
    })
    .await;
}
