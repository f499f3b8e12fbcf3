//! Deliveries of the event of a requested sync.

use std::time::Duration;

use contact_hub_tests::{Answer, Client, Receiver, TestHub, with_hub, with_settings};
use serde_json::{Value, json};

use super::outbox::{created, text, webhook_with};
use crate::support::until;

const SOON: Duration = Duration::from_secs(10);

/// A company with an email and an integration that accepts emails.
struct Desk {
    client: Client,
    asset: String,
    integration: String,
}

impl Desk {
    async fn new(hub: &TestHub) -> Self {
        let client = hub.client().await.manage();
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let asset = text(&client.post("/assets", &asset).await.expect(201), "id");
        let integration =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        let integration = client.post("/integrations", &integration).await.expect(201);
        Self { client, asset, integration: text(&integration, "id") }
    }

    async fn request(&self) -> Answer {
        let body = json!({"integration_id": self.integration});
        self.client.post(&format!("/assets/{}/syncs", self.asset), &body).await.expect(202)
    }

    /// The deliveries of a sync, newest first.
    async fn deliveries(&self, sync: &str) -> Vec<Value> {
        let path = format!("/deliveries?filter[sync_id]={sync}");
        let answer = self.client.get(&path).await.expect(200);
        answer.data().as_array().expect("rows").clone()
    }

    /// The only delivery of a sync, once it is in this state.
    async fn delivery(&self, sync: &str, state: &str) -> Answer {
        until(SOON, async || {
            self.deliveries(sync).await.first().is_some_and(|row| row["state"] == state)
        })
        .await;
        let id = self.deliveries(sync).await[0]["id"].as_str().expect("an id").to_owned();
        self.client.get(&format!("/deliveries/{id}")).await.expect(200)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_enabled_webhook_gets_the_event_and_disabled_ones_are_skipped() {
    with_hub(async |hub| {
        let desk = Desk::new(hub).await;
        let (on, off) = (Receiver::start(&[200]).await, Receiver::start(&[200]).await);
        let shown = created(&desk.client, &webhook_with("url", on.url())).await;
        let mut body = webhook_with("url", off.url());
        body["enabled"] = json!(false);
        let skipped = created(&desk.client, &body).await;
        let sync = text(&desk.request().await, "id");
        until(SOON, async || on.requests().len() == 1).await;
        let rows = desk.deliveries(&sync).await;
        assert_eq!(rows.len(), 2);
        let of = |webhook: &str| {
            let id = webhook.trim_start_matches("/webhooks/");
            rows.iter().find(|row| row["webhook_id"] == id).expect("a delivery").clone()
        };
        assert_eq!(of(&shown)["event_id"], of(&skipped)["event_id"]);
        assert_eq!(
            (&of(&skipped)["state"], &of(&skipped)["attempt_count"]),
            (&json!("skipped"), &json!(0))
        );
        assert!(of(&skipped)["reason"].is_string() && off.requests().is_empty());
        let payload: Value = serde_json::from_str(&on.requests()[0].body).expect("JSON");
        assert_eq!(
            (&payload["event"], &payload["sync_id"]),
            (&json!("syncRequested"), &json!(sync))
        );
        // A skipped delivery can still be resent, with the same event.
        let path = format!("/deliveries/{}", of(&skipped)["id"].as_str().expect("an id"));
        let _resent = desk.client.trigger(&format!("{path}/resend")).await.expect(202);
        until(SOON, async || off.requests().len() == 1).await;
        assert_eq!(off.requests()[0].body, on.requests()[0].body);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_delivery_waits_for_its_retry_and_exhausts_the_schedule() {
    with_settings(
        |settings| settings.webhooks.retry_schedule = vec![Duration::from_millis(50); 2],
        async |hub| {
            let desk = Desk::new(hub).await;
            let receiver = Receiver::start(&[500, 503, 404, 200]).await;
            let webhook = created(&desk.client, &webhook_with("url", receiver.url())).await;
            let sync = text(&desk.request().await, "id");
            let delivery = desk.delivery(&sync, "exhausted").await;
            let attempts = delivery.data()["attempts"].as_array().expect("attempts").clone();
            let codes: Vec<_> = attempts.iter().map(|it| it["status_code"].clone()).collect();
            assert_eq!(codes, [json!(500), json!(503), json!(404)]);
            assert!(attempts.iter().all(|attempt| attempt["trigger"] == "scheduled"));
            assert_eq!(delivery.data()["next_attempt_at"], Value::Null);
            let health = desk.client.get(&webhook).await.expect(200);
            assert_eq!(health.data()["failed_attempts"], 3);
            assert!(health.data()["failing_since"].is_string());
            let id = webhook.trim_start_matches("/webhooks/");
            let body = json!({"webhook_id": id, "since": delivery.data()["created_at"]});
            let recovered = desk.client.post("/deliveries/recover", &body).await.expect(202);
            assert_eq!(recovered.data()["recovered"], 1);
            let delivery = desk.delivery(&sync, "succeeded").await;
            let last = delivery.data()["attempts"][3].clone();
            assert_eq!((&last["trigger"], &last["number"]), (&json!("recover"), &json!(4)));
            let health = desk.client.get(&webhook).await.expect(200);
            assert_eq!(health.data()["failing_since"], Value::Null);
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_cancels_what_is_about_a_closed_sync() {
    with_settings(
        |settings| settings.webhooks.retry_schedule = vec![Duration::from_millis(50)],
        async |hub| {
            let desk = Desk::new(hub).await;
            let receiver = Receiver::start(&[500, 500, 500, 500, 200]).await;
            let webhook = created(&desk.client, &webhook_with("url", receiver.url())).await;
            let superseded = text(&desk.request().await, "id");
            let first = desk.delivery(&superseded, "exhausted").await;
            let open = text(&desk.request().await, "id");
            let _second = desk.delivery(&open, "exhausted").await;
            let id = webhook.trim_start_matches("/webhooks/");
            let body = json!({"webhook_id": id, "since": first.data()["created_at"]});
            let _recovered = desk.client.post("/deliveries/recover", &body).await.expect(202);
            let _sent = desk.delivery(&open, "succeeded").await;
            let cancelled = desk.delivery(&superseded, "cancelled").await;
            let reason = cancelled.data()["reason"].as_str().expect("a reason").to_owned();
            assert!(reason.contains("superseded"), "{reason}");
            assert_eq!(cancelled.data()["attempt_count"], 2);
            assert_eq!(receiver.requests().len(), 5);
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_delivery_is_skipped_when_its_webhook_is_disabled() {
    with_hub(async |hub| {
        let desk = Desk::new(hub).await;
        let receiver = Receiver::start(&[500]).await;
        let webhook = created(&desk.client, &webhook_with("url", receiver.url())).await;
        let sync = text(&desk.request().await, "id");
        let waiting = desk.delivery(&sync, "retrying").await;
        assert!(waiting.data()["next_attempt_at"].is_string());
        let _off = desk.client.patch(&webhook, &json!({"enabled": false})).await.expect(200);
        let skipped = desk.delivery(&sync, "skipped").await;
        assert_eq!(skipped.data()["next_attempt_at"], Value::Null);
        hub.clock.advance(60);
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(receiver.requests().len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gone_receiver_disables_its_webhook() {
    with_hub(async |hub| {
        let desk = Desk::new(hub).await;
        let receiver = Receiver::start(&[410]).await;
        let webhook = created(&desk.client, &webhook_with("url", receiver.url())).await;
        let sync = text(&desk.request().await, "id");
        let delivery = desk.delivery(&sync, "exhausted").await;
        assert!(delivery.data()["reason"].as_str().is_some_and(|reason| reason.contains("410")));
        let read = desk.client.get(&webhook).await.expect(200);
        assert_eq!(
            (&read.data()["enabled"], &read.data()["disabled_reason"]),
            (&json!(false), &json!("gone"))
        );
        let on = desk.client.patch(&webhook, &json!({"enabled": true})).await.expect(200);
        assert_eq!(
            (&on.data()["failing_since"], &on.data()["failed_attempts"]),
            (&Value::Null, &json!(0))
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_webhook_cancels_its_waiting_deliveries() {
    with_hub(async |hub| {
        let desk = Desk::new(hub).await;
        let receiver = Receiver::start(&[500]).await;
        let webhook = created(&desk.client, &webhook_with("url", receiver.url())).await;
        let sync = text(&desk.request().await, "id");
        let _waiting = desk.delivery(&sync, "retrying").await;
        let _gone = desk.client.delete(&webhook).await.expect(204);
        let cancelled = desk.delivery(&sync, "cancelled").await;
        assert!(cancelled.data()["reason"].is_string());
        assert_eq!(cancelled.data()["attempts"].as_array().map(Vec::len), Some(1));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_superseded_sync_is_no_longer_delivered() {
    with_hub(async |hub| {
        let desk = Desk::new(hub).await;
        let receiver = Receiver::start(&[500, 200]).await;
        created(&desk.client, &webhook_with("url", receiver.url())).await;
        let first = text(&desk.request().await, "id");
        let _waiting = desk.delivery(&first, "retrying").await;
        let next = text(&desk.request().await, "id");
        let cancelled = desk.delivery(&first, "cancelled").await;
        assert!(cancelled.data()["reason"].is_string());
        let _delivered = desk.delivery(&next, "succeeded").await;
    })
    .await;
}
