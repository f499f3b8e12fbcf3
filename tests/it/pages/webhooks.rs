//! Webhooks and deliveries.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;

use super::{DEADLINE, location};
use crate::support::{created, person, until};

const PATH: &str = "/admin/integrations/webhooks";

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_created_tested_rotated_changed_and_deleted() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[500, 200]).await;
        let url = receiver.url();
        let fields =
            [("name", "Hook"), ("url", &url), ("events", "syncRequested"), ("enabled", "on")];
        let made = browser.post(&format!("{PATH}/new"), &fields).await.expect(200);
        assert!(made.text.contains("whsec_") && made.text.contains("not shown again"));
        let listed = client.manage().get("/webhooks").await.expect(200);
        let path = format!("{PATH}/{}", listed.data()[0]["id"].as_str().unwrap());
        let page = browser.get(&path).await.expect(200);
        assert!(!page.text.contains("whsec_") && page.text.contains("Nothing was sent yet."));

        let tested = browser.post(&format!("{path}/test"), &[]).await.expect(303);
        let delivery = location(&tested).to_owned();
        let page = browser.get(&delivery).await.expect(200);
        assert!(page.text.contains("Exhausted") && page.text.contains("500"));
        let page = browser.done(&format!("{delivery}/resend"), &[]).await;
        assert!(page.text.contains("Delivery queued again."));
        until(DEADLINE, async || receiver.count() == 2).await;

        let rotate = format!("{path}/rotate-secret");
        let rotated = browser.post(&rotate, &[("grace_seconds", "3600")]).await.expect(200);
        assert!(rotated.text.contains("whsec_"));
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("The previous secret is still valid"));
        let page = browser.done(&format!("{path}/previous-secrets"), &[]).await;
        assert!(!page.text.contains("The previous secret is still valid"));
        let short = [("secret", "too short"), ("grace_seconds", "0")];
        let refused = browser.post(&format!("{path}/rotate-secret"), &short).await.expect(422);
        assert!(refused.text.contains("Must be at least 16 characters long."));
        assert!(!refused.text.contains("too short"));

        let off = [("name", "Hook off"), ("url", &url), ("events", "syncRequested")];
        let page = browser.done(&format!("{path}/edit"), &off).await;
        assert!(
            page.text.contains("Hook off") && page.text.contains("The webhook is switched off.")
        );
        let page = browser.done(&format!("{path}/delete"), &[]).await;
        assert!(page.text.contains("No webhooks yet"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_event_is_described_and_selectable() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[200]).await;
        let url = receiver.url();
        let page = browser.get(&format!("{PATH}/new")).await.expect(200);
        for kind in
            ["syncRequested", "contactsChanged", "fieldsChanged", "syncsChanged", "alertRaised"]
        {
            assert!(page.text.contains(&format!("name=\"events\" value=\"{kind}\"")), "{kind}");
            assert!(page.text.contains(&format!("Example of {kind}")), "{kind}");
        }
        let fields = [
            ("name", "Mirror"),
            ("url", &*url),
            ("events", "contactsChanged"),
            ("events", "fieldsChanged"),
            ("enabled", "on"),
        ];
        let _made = browser.post(&format!("{PATH}/new"), &fields).await.expect(200);
        let listed = client.manage().get("/webhooks").await.expect(200);
        assert_eq!(listed.data()[0]["events"], json!(["contactsChanged", "fieldsChanged"]));
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("contactsChanged, fieldsChanged"));
        let id = listed.data()[0]["id"].as_str().unwrap();
        let page = browser.get(&format!("{PATH}/{id}")).await.expect(200);
        assert!(page.text.contains("contact.updated") && !page.text.contains("sync.completed"));
        let _contact = created(&client, &person("ann@example.com")).await;
        until(DEADLINE, async || receiver.count() == 1).await;
        let page = browser.get(&format!("{PATH}/deliveries")).await.expect(200);
        assert!(page.text.contains("contactsChanged"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_webhook_shows_messages_beside_its_fields() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let fields = [("name", ""), ("url", "nowhere"), ("secret", "short secret")];
        let page = browser.post(&format!("{PATH}/new"), &fields).await.expect(422);
        for field in ["name", "url", "secret", "events"] {
            assert!(page.text.contains(&format!("id=\"{field}-error-1\"")), "{field}");
        }
        assert!(page.text.contains("value=\"nowhere\"") && !page.text.contains("short secret"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_was_typed_is_asked_for_again_after_the_error_of_another_field() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let asked = "Enter the secret again, or leave it empty to generate one.";
        let mut fields = vec![("name", "Hook"), ("url", "nowhere"), ("events", "syncRequested")];
        let page = browser.post(&format!("{PATH}/new"), &fields).await.expect(422);
        assert!(!page.text.contains(asked), "{}", page.text);
        fields.push(("secret", "correct horse battery staple"));
        let page = browser.post(&format!("{PATH}/new"), &fields).await.expect(422);
        assert!(page.text.contains(&format!("id=\"secret-error-1\">{asked}")), "{}", page.text);
        assert!(!page.text.contains("battery"));
        fields = vec![("name", "Hook"), ("url", "https://x.example/"), ("events", "syncRequested")];
        let _ = browser.post(&format!("{PATH}/new"), &fields).await.expect(200);
        let listed = client.manage().get("/webhooks").await.expect(200);
        let rotate = format!("{PATH}/{}/rotate-secret", listed.data()[0]["id"].as_str().unwrap());
        let wrong = [("secret", "correct horse battery staple"), ("grace_seconds", "-1")];
        let page = browser.post(&rotate, &wrong).await.expect(422);
        assert!(page.text.contains(&format!("id=\"secret-error-1\">{asked}")), "{}", page.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_deliveries_can_be_recovered() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[200]).await;
        let url = receiver.url();
        let fields =
            [("name", "Hook"), ("url", &url), ("events", "syncRequested"), ("enabled", "on")];
        let _ = browser.post(&format!("{PATH}/new"), &fields).await.expect(200);
        let listed = client.manage().get("/webhooks").await.expect(200);
        let path = format!("{PATH}/{}", listed.data()[0]["id"].as_str().unwrap());
        let wrong = browser.post(&format!("{path}/recover"), &[("since", "yesterday")]).await;
        assert!(wrong.expect(422).text.contains("id=\"since-error-1\""));
        let by_script = [("since_local", "2026-01-01T05:45"), ("since", "2026-01-01T00:00:00Z")];
        for since in [&by_script, &[("since_local", "2026-01-01T00:00"), ("since", "")]] {
            let page = browser.done(&format!("{path}/recover"), since).await;
            assert!(page.text.contains("nothing was resent"));
        }
        let filtered = browser.get(&format!("{PATH}/deliveries?filter[state]=")).await.expect(200);
        assert!(filtered.text.contains("Deliveries appear here"));
        let wrong = browser.get(&format!("{PATH}/deliveries?filter[state]=odd")).await.expect(422);
        assert!(wrong.header("content-type").starts_with("text/html"));
    })
    .await;
}
