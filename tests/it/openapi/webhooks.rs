//! Answers about webhooks and deliveries match the document.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::{Value, json};

use super::answers::{call, example};
use super::served;

#[tokio::test(flavor = "multi_thread")]
async fn answers_about_webhooks_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let body = example(&document, &client, "post /webhooks");
        let made = call(&document, &client, "post /webhooks", "/webhooks", &body).await.expect(201);
        let path = format!("/webhooks/{}", made.data()["id"].as_str().expect("an id"));
        for (name, action, status) in [
            ("get /webhooks/{id}", "", 200),
            ("post /webhooks/{id}/rotate-secret", "/rotate-secret", 200),
            ("delete /webhooks/{id}/previous-secrets", "/previous-secrets", 204),
            ("patch /webhooks/{id}", "", 200),
            ("delete /webhooks/{id}", "", 204),
            ("delete /webhooks/{id}", "", 404),
        ] {
            let has_body = name.starts_with("patch") || name.ends_with("rotate-secret");
            let body = if has_body { example(&document, &client, name) } else { Value::Null };
            let path = format!("{path}{action}");
            let _taken = call(&document, &client, name, &path, &body).await.expect(status);
        }
        let wrong = json!({"name": 7});
        let _refused =
            call(&document, &client, "post /webhooks", "/webhooks", &wrong).await.expect(422);
        let _empty =
            call(&document, &client, "get /webhooks", "/webhooks", &Value::Null).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_about_deliveries_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let receiver = Receiver::start(&[500]).await;
        let mut body = example(&document, &client, "post /webhooks");
        body["url"] = json!(receiver.url());
        let made = client.post("/webhooks", &body).await.expect(201);
        let id = made.data()["id"].as_str().expect("an id");
        let changed = json!({"secret": "correct horse battery"});
        let path = format!("/webhooks/{id}");
        let name = "patch /webhooks/{id}";
        let _shown = call(&document, &client, name, &path, &changed).await.expect(200);
        let name = "post /webhooks/{id}/test";
        let path = format!("/webhooks/{id}/test");
        let sent = call(&document, &client, name, &path, &Value::Null).await.expect(200);
        let delivery = sent.data()["delivery_id"].as_str().expect("an id").to_owned();
        for (name, path, status) in [
            ("get /deliveries", "/deliveries".to_owned(), 200),
            ("get /deliveries", "/deliveries?filter[status]=x".to_owned(), 422),
            ("get /deliveries/{id}", format!("/deliveries/{delivery}"), 200),
            ("get /deliveries/{id}", "/deliveries/7".to_owned(), 404),
            ("post /deliveries/{id}/resend", format!("/deliveries/{delivery}/resend"), 202),
            ("post /deliveries/{id}/resend", "/deliveries/7/resend".to_owned(), 404),
        ] {
            let _answer = call(&document, &client, name, &path, &Value::Null).await.expect(status);
        }
        let name = "post /deliveries/recover";
        let mut body = example(&document, &client, name);
        let path = "/deliveries/recover";
        let _unknown = call(&document, &client, name, path, &body).await.expect(404);
        body["webhook_id"] = json!(id);
        let _recovered = call(&document, &client, name, path, &body).await.expect(202);
    })
    .await;
}
