//! Mail servers with TLS and authentication.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use contact_hub_tests::{
    Authority, Binary, Browser, MailRules, MailSecurity, MailServer, Receiver, TestDatabase,
    with_settings,
};
use serde_json::json;
use tempfile::TempDir;

use super::{COLLECTED, LATER, SOON, arrived, mailing_by, switched_off, user};
use crate::process::{Service, key_file};
use crate::support::until;

const LOGIN: Option<(&str, &str)> = Some(("hub", "p@ss: w/ö"));

/// The same, encoded for an address.
const WRITTEN: &str = "hub:p%40ss%3A%20w%2F%C3%B6@";

/// A directory with a file of trusted authorities.
fn trusting(authority: &Authority) -> (TempDir, PathBuf) {
    let directory = TempDir::new().expect("a temporary directory");
    let file = directory.path().join("authority.pem");
    std::fs::write(&file, authority.certificate()).expect("a file");
    (directory, file)
}

/// An email arrives at a server with these rules, which the settings select with this parameter.
async fn arrives(rules: MailRules, parameter: &str, authority: &Authority) {
    let (server, receiver) = (MailServer::ruled(rules).await, Receiver::start(&[410]).await);
    let (_directory, file) = trusting(authority);
    let url = format!("{}{parameter}", server.url_of(WRITTEN, "localhost"));
    with_settings(mailing_by(url, file), async |hub| {
        let (_browser, client) = user(hub).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        hub.clock.advance(COLLECTED);
        arrived(&server, 1).await;
        assert_eq!(server.mails()[0].to, "api@acme.example");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_arrives_over_implicit_tls() {
    let authority = Authority::new("the authority of the test");
    let security = MailSecurity::Wrapped(authority.acceptor("localhost"));
    let rules = MailRules { security, login: LOGIN, mechanism: "PLAIN", ..MailRules::default() };
    arrives(rules, "", &authority).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_arrives_over_starttls() {
    let authority = Authority::new("the authority of the test");
    let security = MailSecurity::StartTls(authority.acceptor("localhost"));
    let rules = MailRules { security, login: LOGIN, mechanism: "LOGIN", ..MailRules::default() };
    arrives(rules, "?tls=required", &authority).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_gets_no_email_until_its_certificate_is_valid() {
    let (authority, other) = (Authority::new("the authority"), Authority::new("another"));
    let wrapped = |authority: &Authority| MailRules {
        security: MailSecurity::Wrapped(authority.acceptor("localhost")),
        login: LOGIN,
        ..MailRules::default()
    };
    let (server, receiver) =
        (MailServer::ruled(wrapped(&other)).await, Receiver::start(&[410]).await);
    let (_directory, file) = trusting(&authority);
    let (address, url) = (server.address(), server.url_of(WRITTEN, "localhost"));
    with_settings(mailing_by(url, file), async |hub| {
        let (_browser, client) = user(hub).await;
        switched_off(&client, &receiver, "CRM", "ann@example.com").await;
        hub.clock.advance(COLLECTED);
        until(SOON, async || server.connections() > 0).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(server.mails(), []);
        drop(server);
        let valid = MailServer::ruled_at(address, wrapped(&authority)).await;
        hub.clock.advance(LATER);
        arrived(&valid, 1).await;
    })
    .await;
}

/// The built program, which sends alerts at once to a server at this address, and trusts these authorities.
fn served(database: &TestDatabase, url: &str, trusted: &Path) -> Service {
    let key = key_file(database);
    let mut command = Binary::on(database).command(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--secret-key-file",
        &key,
        "--webhook-allow-http",
        "--webhook-allow-network",
        "127.0.0.0/8",
        "--alert-collect",
        "0s",
        "--mail-from",
        "hub@hub.example",
    ]);
    command.env("SSL_CERT_FILE", trusted).env("CONTACT_HUB_SMTP_URL", url);
    Service::start(database, command)
}

/// The owner chooses a password, and the answer of this receiver disables a webhook.
async fn alerted(service: &mut Service, receiver: &Receiver) {
    let key = service.bootstrap_key();
    let link = service.rest_of_line("sign in");
    let browser = Browser::new(&service.base);
    browser.follow(link.strip_prefix(&service.base).expect(&link)).await;
    let _ = browser.done("/account/password", &[("password", super::PASSWORD)]).await;
    let url = format!("{}/api/manage/v1/webhooks", service.base);
    let body = json!({"name": "CRM", "url": receiver.url(), "events": ["contactsChanged"]});
    let made = reqwest::Client::new().post(url).bearer_auth(&key).json(&body).send().await;
    assert_eq!(made.expect("an answer").status(), 201);
    let person = crate::support::person("ann@example.com");
    let _ = service.call("POST", "/contacts", &key, Some(&person)).await.expect(201);
    until(SOON, async || receiver.count() == 1).await;
}

/// It logs why an email fails, without a secret or an address.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_why_an_email_fails() {
    let authority = Authority::new("the authority of the test");
    let security = MailSecurity::StartTls(authority.acceptor("localhost"));
    let rules = MailRules { security, login: LOGIN, ..MailRules::default() };
    let server = MailServer::ruled(rules).await;
    let (_directory, file) = trusting(&authority);
    let database = TestDatabase::empty();
    let wrong = format!("{}?tls=required", server.url_of("hub:opensesame@", "localhost"));
    let mut service = served(&database, &wrong, &file);
    let receiver = Receiver::start(&[410]).await;
    alerted(&mut service, &receiver).await;
    let reason = "authentication failed: the server answered 535 5.7.8";
    let end = Instant::now() + SOON;
    while !service.log().contains(reason) {
        assert!(Instant::now() < end, "{}", service.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let log = service.log();
    let lines: Vec<&str> =
        log.lines().filter(|line| line.contains("alerts were not sent")).collect();
    assert!(!lines.is_empty() && !lines.iter().any(|line| line.contains('@')), "{log}");
    assert!(!log.contains("opensesame"), "{log}");
    assert_eq!(server.mails(), []);
    service.stop();
}
