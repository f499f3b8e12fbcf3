//! Keys that expire soon.

use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{MailServer, TestHub, with_settings};
use serde_json::json;

use super::{COLLECTED, LATER, arrived, mailing, until_rows, user};

const DAY: i64 = 24 * 60 * 60;

/// Waits until the service has seen that a key expires soon.
async fn noted(hub: &TestHub, name: &str) {
    until_rows(hub, &format!("api_keys WHERE name = '{name}' AND expiry_noted"), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_causes_one_alert_a_week_before_it_expires() {
    let server = MailServer::start().await;
    with_settings(mailing(&server), async |hub| {
        let (_browser, client) = user(hub).await;
        let user = client.made.user.to_string();
        let key = async |name: &str, days: i64| {
            let expires_at = hub.clock.now().plus_seconds(days * DAY).to_seconds_text();
            let body = json!({"name": name, "expires_at": expires_at});
            let path = format!("/users/{user}/api-keys");
            client.manage().post(&path, &body).await.expect(201).data()["id"].to_string()
        };
        key("Importer", 9).await;
        key("Exporter", 11).await;
        key("Long", 30).await;
        key("Short", 6).await;
        let revoked = key("Revoked", 9).await;
        let path = format!("/users/{user}/api-keys/{}", revoked.trim_matches('"'));
        let _ = client.manage().delete(&path).await.expect(204);
        hub.clock.advance(3 * DAY);
        noted(hub, "Importer").await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        let mail = &server.mails()[0];
        assert_eq!(mail.header("Subject"), "The API key \"Importer\" expires soon (Acme)");
        assert!(mail.text.contains("https://hub.example/account/api-access"));
        // An email that is not recorded as sent would be repeated.
        until_rows(hub, "alerts", 0).await;
        hub.clock.advance(DAY + LATER);
        noted(hub, "Exporter").await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 2).await;
        // Only about the other key: another alert about the first one would come before it or in the same email.
        let next = server.mails()[1].header("Subject").to_owned();
        assert_eq!(next, "The API key \"Exporter\" expires soon (Acme)");
    })
    .await;
}
