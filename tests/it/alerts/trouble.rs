//! Mail servers that are down, that reject emails, or that do not answer before the service crashes.

use std::sync::Arc;
use std::time::Duration;

use contact_hub::wire::Environment;
use contact_hub_tests::{MailServer, Receiver, Treatment, with_settings};

use super::{COLLECTED, LATER, SOON, arrived, mailing, switched_off, until_rows, user};
use crate::support::{hub_with, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_down_gets_the_email_when_it_is_up_again() {
    let (server, receiver) = (MailServer::start().await, Receiver::start(&[410]).await);
    let (address, settings) = (server.address(), mailing(&server));
    drop(server);
    with_settings(settings, async |hub| {
        let (_browser, client) = user(hub).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        hub.clock.advance(COLLECTED);
        tokio::time::sleep(Duration::from_secs(3)).await;
        let back = MailServer::at(address, |_place| Treatment::default()).await;
        hub.clock.advance(LATER);
        arrived(&back, 1).await;
        hub.clock.advance(LATER);
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(back.mails().len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_recipient_is_not_retried() {
    let rejecting = |_place| Treatment { recipient: "550", ..Treatment::default() };
    let (server, receiver) = (MailServer::with(rejecting).await, Receiver::start(&[410]).await);
    let (address, settings) = (server.address(), mailing(&server));
    with_settings(settings, async |hub| {
        let (_browser, client) = user(hub).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        until_rows(hub, "alerts WHERE name = 'CRM'", 1).await;
        hub.clock.advance(COLLECTED);
        // It is dropped once the server has rejected it.
        until_rows(hub, "alerts WHERE name = 'CRM'", 0).await;
        drop(server);
        let accepting = MailServer::at(address, |_place| Treatment::default()).await;
        // The next email would contain both alerts, or come after one about the first.
        switched_off(&client, &receiver, "Shop", "bo@example.com").await;
        until_rows(hub, "alerts WHERE name = 'Shop'", 1).await;
        hub.clock.advance(LATER);
        arrived(&accepting, 1).await;
        let mails = accepting.mails();
        assert!(mails[0].text.contains("Shop"), "{mails:?}");
        assert!(mails.iter().all(|mail| !mail.text.contains("CRM")), "{mails:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_whose_sender_crashed_is_sent_again_with_the_same_id() {
    let hanging = |place| Treatment {
        after: if place == 0 { Duration::from_secs(25) } else { Duration::ZERO },
        ..Treatment::default()
    };
    let (server, receiver) = (MailServer::with(hanging).await, Receiver::start(&[410]).await);
    with_settings(mailing(&server), async |hub| {
        let (_browser, client) = user(hub).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        // Its lease expires while it waits, as if the instance had crashed: another one takes over the email.
        hub.clock.advance(3 * 60);
        let environment = Environment {
            clock: Arc::new(hub.clock.clone()),
            follows_database: false,
            ..Environment::default()
        };
        let second = hub_with(&hub.database, &environment, mailing(&server));
        arrived(&server, 2).await;
        let mails = server.mails();
        assert_eq!(mails[0].header("Message-ID"), mails[1].header("Message-ID"));
        assert_eq!(mails[0].to, mails[1].to);
        until(SOON, async || server.mails().len() == 2).await;
        second.stop().await.expect("it stops");
    })
    .await;
}
