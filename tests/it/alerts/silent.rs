//! A mail server that does not answer.

use contact_hub_tests::{MailRules, MailServer, Receiver, with_settings};
use serde_json::json;

use super::{COLLECTED, LATER, PATH, SOON, arrived, mailing, switched_off, user};
use crate::support::until;

/// The mail server does not answer for the first email.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_delays_neither_other_emails_nor_events() {
    let server = MailServer::ruled(MailRules { silent: 1, ..MailRules::default() }).await;
    let (failing, hooks) = (Receiver::start(&[410]).await, Receiver::start(&[200]).await);
    with_settings(mailing(&server), async |hub| {
        let (first, client) = user(hub).await;
        let (second, other) = user(hub).await;
        let body = json!({"name": "Alerts", "url": hooks.url(), "events": ["alertRaised"]});
        let _made = client.manage().post("/webhooks", &body).await.expect(201);
        switched_off(&client, &failing, "CRM", "ann@example.com").await;
        switched_off(&other, &failing, "Shop", "bo@example.com").await;
        // Both emails are due now. The clock is not advanced while one is in progress, because its lease would expire.
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        assert_eq!(server.ungreeted(), 1, "the other one waits for a greeting");
        let _ = first.done(PATH, &[("by_webhook", "webhook_off")]).await;
        switched_off(&client, &failing, "Mail", "cy@example.com").await;
        until(SOON, async || hooks.count() == 1).await;
        assert_eq!(server.ungreeted(), 1, "it is silent all the while");
        drop(second);

        // The service gives up and retries later.
        until(SOON * 2, async || server.ungreeted() == 0).await;
        until(SOON, async || {
            hub.clock.advance(LATER);
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            let mails = server.mails();
            ["CRM", "Shop"].iter().all(|name| mails.iter().any(|mail| mail.text.contains(name)))
        })
        .await;
    })
    .await;
}
