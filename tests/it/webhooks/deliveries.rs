//! Deliveries are listed, resent and recovered.

use std::time::Duration;

use contact_hub_tests::{Client, Receiver, with_hub};
use serde_json::{Value, json};

use super::outbox::{created, text, webhook, webhook_with};
use crate::support::until;

const SOON: Duration = Duration::from_secs(10);

/// A delivery that was tried once as a test, with its path.
async fn delivery(client: &Client, webhook: &str) -> String {
    let answer = client.trigger(&format!("{webhook}/test")).await.expect(200);
    format!("/deliveries/{}", text(&answer, "delivery_id"))
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_listed_newest_first_and_filtered() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let (good, bad) = (Receiver::start(&[200]).await, Receiver::start(&[500]).await);
        let one = created(&client, &webhook_with("url", good.url())).await;
        let other = created(&client, &webhook_with("url", bad.url())).await;
        let first = delivery(&client, &one).await;
        let second = delivery(&client, &other).await;
        let listed = async |query: &str| -> Vec<String> {
            let answer = client.get(&format!("/deliveries?{query}")).await.expect(200);
            let rows = answer.data().as_array().expect("rows").clone();
            assert_eq!(answer.json["meta"]["total"], rows.len());
            rows.iter()
                .map(|row| format!("/deliveries/{}", row["id"].as_str().expect("an id")))
                .collect()
        };
        assert_eq!(listed("").await, [second.clone(), first.clone()]);
        let id = one.trim_start_matches("/webhooks/");
        for query in [format!("filter[webhook_id]={id}"), format!("webhook_id={id}")] {
            assert_eq!(listed(&query).await, std::slice::from_ref(&first), "{query}");
        }
        assert_eq!(listed("state=exhausted").await, std::slice::from_ref(&second));
        assert_eq!(listed("filter%5Bstate%5D=succeeded").await, std::slice::from_ref(&first));
        assert_eq!(listed("state=pending&x=1").await, Vec::<String>::new());
        let nobody = "01931e3a-7c00-7000-8000-000000000000";
        for name in ["webhook_id", "sync_id"] {
            assert_eq!(listed(&format!("filter[{name}]={nobody}")).await, Vec::<String>::new());
        }
        for (query, path) in [
            ("state=done", "state"),
            ("filter[state]=done", "filter.state"),
            ("filter[webhook_id]=7", "filter.webhook_id"),
            ("filter[status]=pending", "filter.status"),
            ("filter=pending", "filter"),
            ("page[size]=101", "page.size"),
        ] {
            client.get(&format!("/deliveries?{query}")).await.expect_invalid(&[path]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resent_delivery_arrives_again_under_its_event() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[500, 200]).await;
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        let path = delivery(&client, &webhook).await;
        hub.clock.advance(60);
        let resent = client.trigger(&format!("{path}/resend")).await.expect(202);
        assert_eq!(
            (&resent.data()["state"], &resent.data()["attempt_count"]),
            (&json!("pending"), &json!(1))
        );
        until(SOON, async || client.get(&path).await.data()["state"] == "succeeded").await;
        let detail = client.get(&path).await.expect(200);
        let attempts = detail.data()["attempts"].as_array().expect("attempts").clone();
        let shown: Vec<_> = attempts
            .iter()
            .map(|it| (it["number"].clone(), it["trigger"].clone(), it["status_code"].clone()))
            .collect();
        assert_eq!(
            shown,
            [(json!(1), json!("test"), json!(500)), (json!(2), json!("resend"), json!(200))]
        );
        assert_eq!(
            (attempts[0]["answer"].as_str(), &detail.data()["reason"]),
            (Some("ok"), &Value::Null)
        );
        let requests = receiver.requests();
        assert_eq!(requests[0].body, requests[1].body);
        assert_eq!(requests[0].header("webhook-id"), requests[1].header("webhook-id"));
        assert_ne!(
            requests[0].header("webhook-timestamp"),
            requests[1].header("webhook-timestamp")
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_to_a_disabled_webhook_is_resent_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[500, 200]).await;
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        let path = delivery(&client, &webhook).await;
        let _off = client.patch(&webhook, &json!({"enabled": false})).await.expect(200);
        let _resent = client.trigger(&format!("{path}/resend")).await.expect(202);
        until(SOON, async || receiver.requests().len() == 2).await;
        until(SOON, async || client.get(&path).await.data()["state"] == "succeeded").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_deliveries_and_those_of_others_are_not_found() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await.manage(), hub.client().await.manage());
        let receiver = Receiver::start(&[200]).await;
        let webhook = created(&theirs, &webhook_with("url", receiver.url())).await;
        let path = delivery(&theirs, &webhook).await;
        for path in
            [path.as_str(), "/deliveries/7", "/deliveries/01931e3a-7c00-7000-8000-000000000000"]
        {
            ours.get(path).await.expect_error(404, "DELIVERY_NOT_FOUND");
            let resend = format!("{path}/resend");
            ours.trigger(&resend).await.expect_error(404, "DELIVERY_NOT_FOUND");
        }
        assert_eq!(ours.get("/deliveries").await.expect(200).json["meta"]["total"], 0);
        let _gone = theirs.delete(&webhook).await.expect(204);
        let kept = theirs.get(&path).await.expect(200);
        assert_eq!(
            (&kept.data()["state"], &kept.data()["payload"]),
            (&json!("succeeded"), &Value::Null)
        );
        let resend = format!("{path}/resend");
        theirs.trigger(&resend).await.expect_error(404, "WEBHOOK_NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_needs_a_webhook_and_a_time_and_excludes_tests() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let receiver = Receiver::start(&[500]).await;
        let path = created(&client, &webhook_with("url", receiver.url())).await;
        let _test = delivery(&client, &path).await;
        let id = path.trim_start_matches("/webhooks/");
        let recover = async |body: Value| client.post("/deliveries/recover", &body).await;
        recover(json!({})).await.expect_invalid(&["webhook_id", "since"]);
        let wrong = json!({"webhook_id": "7", "since": "yesterday"});
        recover(wrong).await.expect_invalid(&["webhook_id", "since"]);
        let unknown = "01931e3a-7c00-7000-8000-000000000000";
        let body = json!({"webhook_id": unknown, "since": "2026-01-01T00:00:00Z"});
        recover(body).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        let answer =
            recover(json!({"webhook_id": id, "since": "2026-01-01T00:00:00Z"})).await.expect(202);
        assert_eq!(answer.json, json!({"data": {"recovered": 0}}));
        let other = created(&client, &webhook()).await;
        assert_ne!(other, path);
    })
    .await;
}
