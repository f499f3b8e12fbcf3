//! Alerts by email and as events.

mod choices;
mod email;
mod keys;
mod real_server;
mod reasons;
mod secured;
mod silent;
mod trouble;
mod webhook;

use std::path::PathBuf;
use std::time::Duration;

use contact_hub::settings::ServeSettings;
use contact_hub_tests::{Browser, Client, MailServer, Receiver, TestHub};
use serde_json::json;

use crate::company::busy::number_in;
use crate::support::{created, person, until};

const SOON: Duration = Duration::from_mins(1);
const PASSWORD: &str = "correct horse battery";
const PATH: &str = "/account/alerts";

/// Longer than alerts are collected, in seconds.
const COLLECTED: i64 = 6 * 60;

/// Longer than the shortest time between two emails, in seconds.
const LATER: i64 = 31 * 60;

/// The settings of a service that sends emails.
fn mailing(server: &MailServer) -> impl FnOnce(&mut ServeSettings) + use<> {
    let url = server.url();
    move |settings| {
        settings.mail.smtp_url = Some(url);
        settings.mail.mail_from = Some("Contact Hub <hub@hub.example>".to_owned());
        settings.public_url = Some("https://hub.example".to_owned());
    }
}

/// The same with the address of a server, and a file with the authorities that are trusted.
fn mailing_by(url: String, trusted: PathBuf) -> impl FnOnce(&mut ServeSettings) {
    move |settings| {
        settings.mail.smtp_url = Some(url);
        settings.mail.smtp_ca_file = Some(trusted);
        settings.mail.mail_from = Some("Contact Hub <hub@hub.example>".to_owned());
        settings.public_url = Some("https://hub.example".to_owned());
    }
}

/// A user with a password and all permissions.
async fn user(hub: &TestHub) -> (Browser, Client) {
    let (browser, client) = hub.browser().await;
    let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
    (browser, client)
}

/// A webhook with this name, whose receiver answers 410 to an event; its id, once it is switched off.
async fn switched_off(client: &Client, receiver: &Receiver, name: &str, email: &str) -> String {
    let events = ["contactsChanged"];
    let webhook = json!({"name": name, "url": receiver.url(), "events": events});
    let made = client.manage().post("/webhooks", &webhook).await.expect(201);
    let id = made.data()["id"].as_str().expect("an id").to_owned();
    let path = format!("/webhooks/{id}");
    let _id = created(client, &person(email)).await;
    until(SOON, async || {
        let webhook = client.manage().get(&path).await.expect(200);
        webhook.data()["enabled"] == false
    })
    .await;
    id
}

/// Waits until this part of a query, from its table on, selects this many rows.
async fn until_rows(hub: &TestHub, of: &str, count: i64) {
    until(SOON, async || {
        tokio::time::sleep(Duration::from_millis(20)).await;
        number_in(&hub.database, of) == count
    })
    .await;
}

/// Waits until this many emails have arrived.
async fn arrived(server: &MailServer, count: usize) {
    until(SOON, async || {
        tokio::time::sleep(Duration::from_millis(20)).await;
        server.mails().len() >= count
    })
    .await;
}
