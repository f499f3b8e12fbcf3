//! The webhooks that are sent match the document.

use contact_hub_tests::{Received, Receiver, with_hub};
use serde_json::{Value, json};

use super::schema::{members, misfits};
use super::served;
use crate::support::{created, person, until};
use crate::sync::sample::setting;

/// Checks that a request matches the document: exactly its members, and the signature headers.
fn compare(document: &Value, kind: &str, request: &Received) {
    let operation = &document["webhooks"][kind]["post"];
    let content = &operation["requestBody"]["content"]["application/json"];
    let sent: Value = serde_json::from_str(&request.body).expect("JSON");
    for payload in [&sent, &content["example"]] {
        assert_eq!(misfits(document, &content["schema"], payload, kind), Vec::<String>::new());
        let known = members(document, &content["schema"]);
        let members = payload.as_object().expect("an object");
        assert!(members.keys().all(|member| known.contains(member)), "{payload}");
        assert_eq!(members.len(), known.len());
    }
    let headers = operation["parameters"].as_array().expect("headers");
    assert_eq!(headers.len(), 5);
    for header in headers {
        let name = header["name"].as_str().expect("a name");
        assert_eq!(request.header(name).is_empty(), header["required"] == json!(false), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_events_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let receiver = Receiver::start(&[200]).await;
        let make = async |path: &str, body: Value| {
            let made = client.post(path, &body).await.expect(201);
            made.data()["id"].as_str().expect("an id").to_owned()
        };
        let webhook = json!({"name": "W", "url": receiver.url(), "events": ["syncRequested"]});
        let webhook = make("/webhooks", webhook).await;
        let _tested = client.trigger(&format!("/webhooks/{webhook}/test")).await.expect(200);
        compare(&document, "test", &receiver.requests()[0]);
        let asset = json!({"name": "A", "type": "email", "html": "x", "subject": "s"});
        let asset = make("/assets", asset).await;
        let kind = json!({"name": "I", "asset_types": ["email"], "merge_tag_format": "braze"});
        let body = json!({"integration_id": make("/integrations", kind).await});
        let report =
            json!({"status": "completed", "map_id": "1", "map_url": "https://p.example/1"});
        for place in [1, 2] {
            let _sync = client.post(&format!("/assets/{asset}/syncs"), &body).await.expect(202);
            let soon = std::time::Duration::from_secs(10);
            until(soon, async || receiver.count() > place).await;
            compare(&document, "syncRequested", &receiver.requests()[place]);
            let status = format!("/sync-status/{asset}");
            let _reported = client.published().patch(&status, &report).await.expect(200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_changes_match_the_document() {
    with_hub(async |hub| {
        let (setting, document) = (setting(hub.client().await, &[200]).await, served(hub).await);
        let client = &setting.client;
        let receiver = Receiver::start(&[200]).await;
        let kinds = ["contactsChanged", "fieldsChanged", "syncsChanged"];
        let webhook = json!({"name": "W", "url": receiver.url(), "events": kinds});
        let _webhook = client.manage().post("/webhooks", &webhook).await.expect(201);
        let _field = client.field("Size", "number").await;
        let _contact = created(client, &person("ann@example.com")).await;
        let _sync = setting.requested().await;
        let soon = std::time::Duration::from_secs(20);
        until(soon, async || receiver.count() == 3).await;
        for kind in kinds {
            let requests = receiver.requests();
            let has_kind = |it: &&Received| it.body.contains(&format!("\"{kind}\""));
            compare(&document, kind, requests.iter().find(has_kind).expect(kind));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_alerts_match_the_document() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let document = served(hub).await;
        let _ = browser.done("/account/alerts", &[("by_webhook", "webhook_off")]).await;
        let (receiver, gone) = (Receiver::start(&[200]).await, Receiver::start(&[410]).await);
        for (url, kind) in [(receiver.url(), "alertRaised"), (gone.url(), "contactsChanged")] {
            let webhook = json!({"name": "W", "url": url, "events": [kind]});
            let _webhook = client.manage().post("/webhooks", &webhook).await.expect(201);
        }
        let _contact = created(&client, &person("ann@example.com")).await;
        let soon = std::time::Duration::from_secs(20);
        until(soon, async || receiver.count() == 1).await;
        compare(&document, "alertRaised", &receiver.requests()[0]);
    })
    .await;
}
