//! Alerts as events for webhooks.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::{Value, json};

use super::{PATH, SOON, switched_off};
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn a_subscribed_webhook_gets_signed_events_except_about_itself() {
    let (failing, receiver) = (Receiver::start(&[410]).await, Receiver::start(&[200]).await);
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let body = json!({
            "name": "Operations", "url": receiver.url(), "events": ["alertRaised"]
        });
        let _made = client.manage().post("/webhooks", &body).await.expect(201);
        switched_off(&client, &failing, "Unchosen", "ann@example.com").await;
        let _ = browser.done(PATH, &[("by_webhook", "webhook_off")]).await;
        let id = switched_off(&client, &failing, "CRM", "bo@example.com").await;
        until(SOON, async || receiver.count() == 1).await;
        let request = &receiver.requests()[0];
        let event: Value = serde_json::from_str(&request.body).expect("JSON");
        let shown = [&event["event"], &event["alert"], &event["name"], &event["object_id"]];
        assert_eq!(shown, ["alertRaised", "webhook_off", "CRM", id.as_str()]);
        assert_eq!(request.header("webhook-id"), event["id"].as_str().unwrap());
        assert!(!request.header("webhook-signature").is_empty());
        // This webhook gets no event about itself, and no other events.
        let own = Receiver::start(&[410]).await;
        let body = json!({
            "name": "Own", "url": own.url(), "events": ["alertRaised", "contactsChanged"],
        });
        let made = client.manage().post("/webhooks", &body).await.expect(201);
        let path = format!("/webhooks/{}", made.data()["id"].as_str().unwrap());
        let _id = crate::support::created(&client, &crate::support::person("cy@example.com")).await;
        until(SOON, async || receiver.count() == 2).await;
        let webhook = client.manage().get(&path).await.expect(200);
        assert_eq!(webhook.data()["enabled"], false);
        assert_eq!(own.count(), 1, "the contact alone");
    })
    .await;
}
