//! The outcome of an attempt to a receiver that its webhook no longer has.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_tests::{Receiver, with_hub};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::outbox::{created, webhook_with};
use super::queued::queue;
use crate::support::until;

const SOON: Duration = Duration::from_secs(10);

/// A receiver that answers 410 to each request that it has a permit for.
async fn gone(requests: &Arc<Semaphore>, permits: &Arc<Semaphore>) -> Receiver {
    let (requests, permits) = (Arc::clone(requests), Arc::clone(permits));
    Receiver::raw(move |mut stream: TcpStream| {
        let (requests, permits) = (Arc::clone(&requests), Arc::clone(&permits));
        async move {
            let mut head = [0; 4096];
            if stream.read(&mut head).await.is_ok() {
                requests.add_permits(1);
                permits.acquire().await.expect("a permit").forget();
                let answer = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                stream.write_all(answer).await.ok();
            }
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_of_a_former_receiver_does_not_switch_the_webhook_off() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let (requests, permits) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let former = gone(&requests, &permits).await;
        let receiver = Receiver::start(&[200]).await;
        let webhook = created(&client, &webhook_with("url", former.url())).await;
        queue(hub, &webhook, 1);
        requests.acquire().await.expect("a request").forget();
        let _changed = client.patch(&webhook, &json!({"url": receiver.url()})).await.expect(200);
        permits.add_permits(1);
        until(SOON, async || receiver.count() == 1).await;
        let id = webhook.trim_start_matches("/webhooks/");
        let path = format!("/deliveries?webhook_id={id}");
        until(SOON, async || client.get(&path).await.data()[0]["state"] == "succeeded").await;
        let read = client.get(&webhook).await.expect(200);
        assert_eq!(
            (
                &read.data()["enabled"],
                &read.data()["failed_attempts"],
                &read.data()["failing_since"]
            ),
            (&json!(true), &json!(0), &Value::Null)
        );
        let delivery = client.get(&path).await.data()[0]["id"].clone();
        let delivery = format!("/deliveries/{}", delivery.as_str().expect("an id"));
        let attempts = client.get(&delivery).await.data()["attempts"].clone();
        let codes: Vec<_> = attempts.as_array().expect("attempts").iter().collect();
        assert_eq!(codes.iter().map(|it| &it["status_code"]).collect::<Vec<_>>(), [410, 200]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_was_switched_on_again_is_not_switched_off_by_an_earlier_attempt() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let (requests, permits) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let former = gone(&requests, &permits).await;
        let webhook = created(&client, &webhook_with("url", former.url())).await;
        queue(hub, &webhook, 1);
        requests.acquire().await.expect("a request").forget();
        for enabled in [false, true] {
            let _set = client.patch(&webhook, &json!({"enabled": enabled})).await.expect(200);
        }
        permits.add_permits(1);
        let id = webhook.trim_start_matches("/webhooks/");
        let path = format!("/deliveries?webhook_id={id}");
        until(SOON, async || client.get(&path).await.data()[0]["attempt_count"] == 1).await;
        assert_eq!(client.get(&path).await.data()[0]["state"], "skipped");
        assert_eq!(client.get(&webhook).await.expect(200).data()["enabled"], true);
    })
    .await;
}
