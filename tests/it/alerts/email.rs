//! Which emails are sent, to whom, and how often.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{CompanyOptions, MailServer, Receiver, with_settings};

use super::{COLLECTED, LATER, SOON, arrived, mailing, switched_off, user};
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_webhook_causes_an_alert_after_a_while() {
    let (server, receiver) = (MailServer::start().await, Receiver::start(&[410]).await);
    with_settings(mailing(&server), async |hub| {
        let (_browser, client) = user(hub).await;
        let id = switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        assert_eq!(server.mails(), [], "more may come up");
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        let mail = &server.mails()[0];
        assert_eq!(mail.to, "api@acme.example");
        assert_eq!(mail.header("Subject"), "The webhook \"CRM\" was switched off (Acme)");
        assert_eq!(mail.header("From"), "\"Contact Hub\" <hub@hub.example>");
        let link = format!("https://hub.example/admin/integrations/webhooks/{id}");
        let text = mail.unfolded();
        assert_eq!(text.matches(&link).count(), 2, "in both parts: {text}");
        assert!(mail.text.contains("Its receiver answered 410 Gone."));
        hub.clock.advance(LATER);
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        assert_eq!(server.mails().len(), 1, "once");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_are_bundled_and_emails_have_a_minimum_interval() {
    let (server, receiver) = (MailServer::start().await, Receiver::start(&[410]).await);
    with_settings(mailing(&server), async |hub| {
        let (_browser, client) = user(hub).await;
        for (name, email) in [("First", "a@example.com"), ("Second", "b@example.com")] {
            switched_off(&client, &receiver, name, email).await;
        }
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        assert_eq!(server.mails()[0].header("Subject"), "2 alerts (Acme)");
        switched_off(&client, &receiver, "Third", "c@example.com").await;
        hub.clock.advance(COLLECTED);
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        assert_eq!(server.mails().len(), 1, "too soon for another");
        hub.clock.advance(LATER);
        arrived(&server, 2).await;
        let mail = &server.mails()[1];
        assert!(mail.header("Subject").contains("\"Third\"") && !mail.text.contains("First"));
        assert_ne!(mail.header("Message-ID"), server.mails()[0].header("Message-ID"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_who_lack_the_permission_or_opted_out_get_no_email() {
    let (server, receiver) = (MailServer::start().await, Receiver::start(&[410]).await);
    with_settings(mailing(&server), async |hub| {
        let (browser, client) = user(hub).await;
        let editor = serde_json::json!({
            "email": "editor@acme.example",
            "permissions": [Permission::ContactsApi.as_str()],
        });
        let _made = client.manage().post("/users", &editor).await.expect(201);
        let _ = browser.done(super::PATH, &[]).await;
        let (_stranger, foreign) = hub.browser_of(&CompanyOptions::default()).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        let _ = browser.done(super::PATH, &[("by_email", "webhook_off")]).await;
        switched_off(&client, &receiver, "Chosen", "bo@example.com").await;
        // The user of this company has no password, and chose nothing.
        switched_off(&foreign, &receiver, "Foreign", "cy@example.com").await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        let mails = server.mails();
        assert_eq!(mails.len(), 1, "{mails:?}");
        assert!(mails[0].text.contains("Chosen") && !mails[0].text.contains("CRM"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_keeps_failing_causes_one_alert() {
    let (server, receiver) = (MailServer::start().await, Receiver::start(&[500]).await);
    let settings = |settings: &mut contact_hub::settings::ServeSettings| {
        mailing(&server)(settings);
        settings.webhooks.retry_schedule = vec![std::time::Duration::from_millis(10); 8];
    };
    with_settings(settings, async |hub| {
        let (browser, client) = user(hub).await;
        let _ = browser.done(super::PATH, &[("by_email", "webhook_failing")]).await;
        let events = ["contactsChanged"];
        let body = serde_json::json!({"name": "CRM", "url": receiver.url(), "events": events});
        let _made = client.manage().post("/webhooks", &body).await.expect(201);
        let _id = crate::support::created(&client, &crate::support::person("a@example.com")).await;
        until(SOON, async || receiver.count() == 9).await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        let mail = &server.mails()[0];
        assert_eq!(mail.header("Subject"), "The webhook \"CRM\" keeps failing (Acme)");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_import_causes_an_alert() {
    let server = MailServer::start().await;
    with_settings(mailing(&server), async |hub| {
        let (browser, _client) = user(hub).await;
        let _ = browser.done(super::PATH, &[("by_email", "import_ended")]).await;
        let end = [("file", "people.csv"), ("created", "5"), ("unchanged", "1"), ("refused", "2")];
        let _ = browser.post("/contacts/import/end", &end).await.expect(204);
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        let mail = &server.mails()[0];
        assert_eq!(mail.header("Subject"), "The import of \"people.csv\" has ended (Acme)");
        assert!(mail.unfolded().contains("5 created, 0 updated, 2 rejected."), "{}", mail.text);

        let _ = browser.post("/contacts/import/end", &end).await.expect(204);
        hub.clock.advance(1);
        let leads = [("file", "leads.csv"), ("created", "3")];
        let _ = browser.post("/contacts/import/end", &leads).await.expect(204);
        hub.clock.advance(LATER);
        arrived(&server, 2).await;
        let text = server.mails()[1].unfolded();
        for words in ["people.csv", "5 created, 0 updated, 2 rejected.", "leads.csv", "3 created"] {
            assert!(text.contains(words), "{words}: {text}");
        }
    })
    .await;
}
