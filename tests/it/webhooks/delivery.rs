//! How deliveries are sent: at once, by the schedule, and independently of each other.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use contact_hub::settings::ServeSettings;
use contact_hub_tests::{Receiver, Reply, with_hub, with_settings};
use serde_json::json;

use super::outbox::{created, webhook_with};
use super::queued::{count_in_state, in_state, queue};
use crate::support::until;

const SOON: Duration = Duration::from_secs(20);

fn schedule(millis: &[u64]) -> impl FnOnce(&mut ServeSettings) {
    let delays = millis.iter().map(|millis| Duration::from_millis(*millis)).collect();
    |settings| settings.webhooks.retry_schedule = delays
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_sent_at_once_when_the_worker_is_idle() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[200]).await;
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        let mut took = Vec::new();
        for count in 1..=10 {
            let started = Instant::now();
            queue(hub, &webhook, 1);
            until(SOON, async || receiver.count() == count).await;
            took.push(started.elapsed());
        }
        took.sort();
        // Most of them may wait for a busy machine. Without a wake-up each would wait a second for the worker's next round,
        // except for the first one, which may come shortly before a round.
        assert!(took[1] < Duration::from_millis(500), "{took:?}");
        let request = receiver.requests().pop().expect("a request");
        assert_eq!(request.header("content-type"), "application/json");
        assert_eq!(request.body, "{\"ä\": 1}");
        assert!(request.header("user-agent").starts_with("contact-hub/"));
        assert_eq!(request.header("webhook-id").len(), 36);
        until(SOON, async || count_in_state(&client, "succeeded").await == 10).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_retried_until_the_end_of_the_schedule() {
    with_settings(schedule(&[300, 600]), async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[500, 302, 404]).await;
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        queue(hub, &webhook, 1);
        until(SOON, async || !in_state(&client, "exhausted").await.is_empty()).await;
        let at: Vec<Instant> = receiver.requests().iter().map(|request| request.at).collect();
        let ids = receiver.requests();
        let ids: BTreeSet<&str> = ids.iter().map(|request| request.header("webhook-id")).collect();
        assert_eq!((at.len(), ids.len()), (3, 1));
        assert!(at[1] - at[0] >= Duration::from_millis(240), "{at:?}");
        assert!(at[2] - at[1] >= Duration::from_millis(480), "{at:?}");
        let row = in_state(&client, "exhausted").await.pop().expect("a delivery");
        let path = format!("/deliveries/{}", row["id"].as_str().expect("an id"));
        let detail = client.get(&path).await.expect(200);
        let seen: Vec<_> = detail.data()["attempts"].as_array().expect("attempts").clone();
        let codes: Vec<_> = seen.iter().map(|attempt| attempt["status_code"].clone()).collect();
        assert_eq!(codes, [json!(500), json!(302), json!(404)]);
        let numbers: Vec<_> = seen.iter().map(|attempt| attempt["number"].clone()).collect();
        assert_eq!(numbers, [json!(1), json!(2), json!(3)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_receiver_is_retried_after_the_pause_that_it_asks_for() {
    with_settings(schedule(&[50, 50]), async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::scripted(|place| match place {
            0 => Reply { head: "Retry-After: 2\r\n".to_owned(), ..Reply::from(429) },
            _ => Reply::from(200),
        })
        .await;
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        queue(hub, &webhook, 1);
        until(SOON, async || receiver.count() == 2).await;
        let at: Vec<Instant> = receiver.requests().iter().map(|request| request.at).collect();
        assert!(at[1] - at[0] >= Duration::from_millis(1950), "{:?}", at[1] - at[0]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_receiver_does_not_delay_others() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let hang = |_place| Reply { after: Duration::from_mins(1), ..Reply::from(200) };
        let hanging = Receiver::scripted(hang).await;
        let slow = created(&client, &webhook_with("url", hanging.url())).await;
        let mut healthy = Vec::new();
        for _ in 0..9 {
            let receiver = Receiver::start(&[200]).await;
            let webhook = created(&client, &webhook_with("url", receiver.url())).await;
            healthy.push((receiver, webhook));
        }
        queue(hub, &slow, 100);
        until(SOON, async || hanging.count() == 8).await;
        let started = Instant::now();
        for (_, webhook) in &healthy {
            queue(hub, webhook, 5);
        }
        until(SOON, async || healthy.iter().all(|(receiver, _)| receiver.count() == 5)).await;
        // None of the hanging receiver's eight attempts has ended by then.
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        assert_eq!(hanging.count(), 8);
        // Hanging attempts are aborted, so that the hub can stop.
        drop(hanging);
    })
    .await;
}
