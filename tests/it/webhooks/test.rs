//! Test events of webhooks.

use contact_hub_tests::{Receiver, with_hub, with_settings};
use serde_json::{Value, json};

use super::outbox::{created, text, webhook_with};
use crate::support::is_timestamp;

#[tokio::test(flavor = "multi_thread")]
async fn a_test_is_sent_at_once_and_answered_with_its_attempt() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[200]).await;
        let path = created(&client, &webhook_with("url", receiver.url())).await;
        let answer = client.trigger(&format!("{path}/test")).await.expect(200);
        let attempt = answer.data();
        assert_eq!((&attempt["number"], &attempt["trigger"]), (&json!(1), &json!("test")));
        assert_eq!((&attempt["status_code"], &attempt["error_class"]), (&json!(200), &Value::Null));
        assert!(is_timestamp(&attempt["started_at"]) && attempt["duration_ms"].is_u64());
        let request = receiver.requests().pop().expect("it was sent");
        let payload: Value = serde_json::from_str(&request.body).expect("JSON");
        assert_eq!((&payload["event"], &payload["id"]), (&json!("test"), &attempt["event_id"]));
        assert!(is_timestamp(&payload["created_at"]));
        assert_eq!(request.header("webhook-id"), text(&answer, "event_id"));
        assert_eq!(request.header("service-signature").len(), 64);
        let delivery = client.get(&format!("/deliveries/{}", text(&answer, "delivery_id"))).await;
        let delivery = delivery.expect(200);
        let data = delivery.data();
        assert_eq!((&data["state"], &data["event"]), (&json!("succeeded"), &json!("test")));
        assert_eq!((&data["sync_id"], &data["next_attempt_at"]), (&Value::Null, &Value::Null));
        assert_eq!((&data["payload"], &data["attempt_count"]), (&json!(request.body), &json!(1)));
        assert_eq!(data["attempts"][0]["id"], attempt["id"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_that_fails_is_not_retried_and_leaves_the_webhook_as_it_is() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[410]).await;
        let mut body = webhook_with("url", receiver.url());
        body["enabled"] = json!(false);
        let path = created(&client, &body).await;
        for enabled in [false, true] {
            let _set = client.patch(&path, &json!({"enabled": enabled})).await.expect(200);
            let before = client.get(&path).await.expect(200);
            let answer = client.trigger(&format!("{path}/test")).await.expect(200);
            assert_eq!(answer.data()["status_code"], 410);
            let delivery =
                client.get(&format!("/deliveries/{}", text(&answer, "delivery_id"))).await;
            assert_eq!(delivery.expect(200).data()["state"], "exhausted");
            assert_eq!(client.get(&path).await.expect(200).json, before.json);
        }
        assert_eq!(receiver.requests().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_receiver_is_recorded_as_a_failed_attempt_with_its_error_class() {
    with_settings(
        |settings| settings.webhooks.allow_networks.clear(),
        async |hub| {
            let client = hub.client().await.manage();
            for url in ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/"] {
                client.post("/webhooks", &webhook_with("url", url)).await.expect_invalid(&["url"]);
            }
        },
    )
    .await;
    with_settings(
        |settings| settings.webhooks.allow_http = false,
        async |hub| {
            let client = hub.client().await.manage();
            let plain = webhook_with("url", "http://platform.example/hook");
            client.post("/webhooks", &plain).await.expect_invalid(&["url"]);
        },
    )
    .await;
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = created(&client, &webhook_with("url", "http://127.0.0.1:9/")).await;
        let answer = client.trigger(&format!("{path}/test")).await.expect(200);
        assert_eq!(answer.data()["status_code"], Value::Null);
        assert_eq!(answer.data()["error_class"], "connect");
    })
    .await;
}
