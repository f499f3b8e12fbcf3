//! Webhooks are created, read, changed, listed and deleted.

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::outbox::{created, text, webhook, webhook_with};
use crate::support::is_timestamp;

const MEMBERS: [&str; 12] = [
    "id",
    "name",
    "url",
    "events",
    "enabled",
    "disabled_reason",
    "warning",
    "failing_since",
    "failed_attempts",
    "previous_secret_valid_until",
    "created_at",
    "updated_at",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_created_and_read() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let answer =
            client.post("/webhooks", &webhook_with("name", " Platform ")).await.expect(201);
        let path = format!("/webhooks/{}", text(&answer, "id"));
        assert_eq!(answer.header("Location"), client.url(&path));
        let read = client.get(&path).await.expect(200);
        let members: Vec<&String> = read.data().as_object().expect("an object").keys().collect();
        assert_eq!(members, MEMBERS);
        let data = read.data();
        assert_eq!(data["name"], "Platform");
        assert_eq!(data["url"], "https://platform.example/hook");
        assert_eq!(data["events"], json!(["syncRequested"]));
        assert_eq!((&data["enabled"], &data["warning"]), (&json!(true), &json!(false)));
        assert_eq!(
            (&data["disabled_reason"], &data["failing_since"]),
            (&Value::Null, &Value::Null)
        );
        assert!(is_timestamp(&data["created_at"]) && data["created_at"] == data["updated_at"]);
        for name in MEMBERS {
            assert_eq!(answer.data()[name], data[name], "{name}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_invalid_member_is_named() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        client.post("/webhooks", &json!({})).await.expect_invalid(&["name", "url", "events"]);
        let wrong =
            json!({"name": " ", "url": 7, "secret": "short", "events": [], "enabled": "yes"});
        let all = ["name", "url", "secret", "events", "enabled"];
        client.post("/webhooks", &wrong).await.expect_invalid(&all);
        for (name, value, path) in [
            ("name", json!("x".repeat(256)), "name"),
            ("name", json!("a\u{0}b"), "name"),
            ("events", json!("syncRequested"), "events"),
            ("events", json!(["test"]), "events.0"),
            ("events", json!(["syncRequested", 7]), "events.1"),
            ("events", Value::Null, "events"),
            ("secret", json!("fifteen letters"), "secret"),
            ("secret", json!(1_234_567_890_123_456_u64), "secret"),
            ("enabled", json!(1), "enabled"),
            ("url", json!("https://user:password@platform.example"), "url"),
            ("url", json!("ftp://platform.example"), "url"),
            ("url", json!("platform.example"), "url"),
        ] {
            client.post("/webhooks", &webhook_with(name, value)).await.expect_invalid(&[path]);
        }
        client.post_text("/webhooks", "[]").await.expect_invalid(&["body"]);
        let listed = client.get("/webhooks").await.expect(200);
        assert_eq!(listed.json["meta"]["total"], 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn null_and_absent_are_equivalent_for_optional_members() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let mut body = webhook_with("secret", Value::Null);
        body["enabled"] = Value::Null;
        body["unknown"] = json!({"x": 1});
        let answer = client.post("/webhooks", &body).await.expect(201);
        assert_eq!(answer.data()["enabled"], true);
        assert!(text(&answer, "secret").starts_with("whsec_"));
        let off = client.post("/webhooks", &webhook_with("enabled", false)).await.expect(201);
        assert_eq!(off.data()["disabled_reason"], "by_hand");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_only_sets_the_members_that_it_names() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = created(&client, &webhook()).await;
        let before = client.get(&path).await.expect(200);
        hub.clock.advance(60);
        let nothing = client.patch(&path, &json!({})).await.expect(200);
        assert_eq!(nothing.json, before.json);
        let same = client.patch(&path, &json!({"name": "Platform", "enabled": true})).await;
        assert_eq!(same.expect(200).json, before.json);
        let changed = client.patch(&path, &json!({"name": "Other"})).await.expect(200);
        assert_eq!(
            (&changed.data()["name"], &changed.data()["url"]),
            (&json!("Other"), &before.data()["url"])
        );
        assert_ne!(changed.data()["updated_at"], before.data()["updated_at"]);
        assert_eq!(changed.data()["created_at"], before.data()["created_at"]);
        assert_eq!(client.get(&path).await.expect(200).json, changed.json);
        let off = client.patch(&path, &json!({"enabled": false})).await.expect(200);
        assert_eq!(off.data()["disabled_reason"], "by_hand");
        let on = client.patch(&path, &json!({"enabled": true})).await.expect(200);
        assert_eq!(
            (&on.data()["enabled"], &on.data()["disabled_reason"]),
            (&json!(true), &Value::Null)
        );
        let nulls =
            json!({"name": null, "url": null, "secret": null, "events": null, "enabled": null});
        let all = ["name", "url", "secret", "events", "enabled"];
        client.patch(&path, &nulls).await.expect_invalid(&all);
        client.patch(&path, &json!({"url": "x", "name": "Third"})).await.expect_invalid(&["url"]);
        assert_eq!(client.get(&path).await.expect(200).data()["name"], "Other");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_listed_in_pages_oldest_first() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        for n in 0..3 {
            created(&client, &webhook_with("name", format!("W{n}"))).await;
        }
        let page = client.get("/webhooks?page[size]=2&page[number]=2").await.expect(200);
        assert_eq!(page.data()[0]["name"], "W2");
        let meta = json!({"current_page": 2, "per_page": 2, "total": 3, "last_page": 2, "from": 3, "to": 3});
        assert_eq!(page.json["meta"], meta);
        client.get("/webhooks?page[size]=0").await.expect_invalid(&["page.size"]);
        let all = client.get("/webhooks").await.expect(200);
        assert!(!all.text.contains("secret\":"), "{}", all.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_webhook_is_unknown_and_so_is_a_malformed_id() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = created(&client, &webhook()).await;
        let _gone = client.delete(&path).await.expect(204);
        for path in [path.as_str(), "/webhooks/7", "/webhooks/01931e3a-7c00-7000-8000-000000000000"]
        {
            client.get(path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
            client.patch(path, &json!({})).await.expect_error(404, "WEBHOOK_NOT_FOUND");
            client.delete(path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
            for action in ["rotate-secret", "test"] {
                let path = format!("{path}/{action}");
                client.trigger(&path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
            }
            let path = format!("{path}/previous-secrets");
            client.delete(&path).await.expect_error(404, "WEBHOOK_NOT_FOUND");
        }
    })
    .await;
}
