//! The whole story of a custom platform with the mouse: from an empty database to content on the platform.

use std::sync::Arc;

use contact_hub::adapters::SystemClock;
use contact_hub_domain::ports::Clock;
use contact_hub_receiver::{Bound, Options, Receiver};
use contact_hub_tests::{Binary, Running, TestDatabase};
use thirtyfour::By;

use crate::person::Person;

/// Of the webhook; typed by the person into both sides.
const SECRET: &str = "a secret that both sides know";

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_is_set_up_and_an_email_published_to_it() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let networks = ["--webhook-allow-http", "--webhook-allow-network", "127.0.0.0/8"];
    let mut service = binary.serve(&networks);
    let person = Person::at(&service.base).await;
    sign_in(&person, &mut service).await;
    let token = key_of_service(&person).await;
    let folder = tempfile::tempdir().unwrap();
    let bound = Bound::to("127.0.0.1:0".parse().unwrap()).await.unwrap();
    webhook(&person, &bound.hook()).await;
    let _platform = platform(bound, &service, token, folder.path());
    connect(&person).await;
    publish(&person).await;
    see(&person).await;
    assert_eq!(service.terminate(), Some(0));
}

/// By the link that the first start prints.
async fn sign_in(person: &Person, service: &mut Running) {
    let link = service.sign_in_link();
    person.open(link.strip_prefix(&service.base).unwrap()).await;
    person.arrives("Welcome").await;
    person.fill("New password", "correct horse battery").await;
    person.click("Sign in").await;
    person.arrives("Overview").await;
}

/// A user who may do what the platform's service needs, and their key.
async fn key_of_service(person: &Person) -> String {
    person.click("Company").await;
    person.click("New user").await;
    person.fill("Email", "braze-service@example.com").await;
    person.choose("Role", "API service: contacts, asset content and sync status").await;
    person.click("Create user").await;
    person.arrives("braze-service@example.com").await;
    person.fill("Name of the new key", "Production").await;
    person.click("Create key").await;
    person.sees("It is not shown again.").await;
    person.text_of("#token").await
}

async fn webhook(person: &Person, hook: &str) {
    person.click("Webhooks").await;
    person.click("New webhook").await;
    person.arrives("New webhook").await;
    person.fill("Name", "Braze service").await;
    person.fill("Payload URL", hook).await;
    person.fill("Secret", SECRET).await;
    person.click("Create webhook").await;
    person.arrives("Webhook created").await;
}

fn platform(bound: Bound, service: &Running, key: String, folder: &std::path::Path) -> Receiver {
    let hub = service.base.parse().unwrap();
    let now = Arc::new(|| SystemClock.now().micros() / 1_000_000);
    let tell = Arc::new(|_: &_| {});
    let options = Options {
        hub,
        key,
        secret: SECRET.to_owned(),
        folder: folder.to_owned(),
        fail: false,
        now,
        tell,
    };
    bound.start(options).unwrap()
}

async fn connect(person: &Person) {
    person.click("Integrations").await;
    person.click_beside("Platforms", "Platforms").await;
    person.click("Add New Integration").await;
    person.arrives("Add New Integration").await;
    person.click("Custom platform").await;
    person.arrives("Custom platform").await;
    person.fill("Integration Name", "Braze EU").await;
    person.tick("Email").await;
    person.choose("Merge Tag Platform Format", "Braze").await;
    person.click("Connect").await;
    person.arrives("Platforms").await;
}

async fn publish(person: &Person) {
    person.click("Assets").await;
    person.click("New asset").await;
    person.fill("Name", "Welcome letter").await;
    person.fill("Subject", "Welcome, {{first_name|friend}}").await;
    person.fill("HTML", "<p>Hello {{first_name|friend}}</p>").await;
    person.click("Save").await;
    person.arrives("Welcome letter").await;
    person.click("Publish").await;
    person.click("Sync to Braze EU").await;
    person.sees("Completed").await;
    person.arrives("Welcome letter").await;
}

/// The deliveries behind it, and the content on the platform with its own tags.
async fn see(person: &Person) {
    person.click_beside("Completed", "Deliveries").await;
    person.arrives("Deliveries").await;
    person.sees("Succeeded").await;
    person.click("Assets").await;
    person.click("Welcome letter").await;
    person.arrives("Welcome letter").await;
    let link = By::PartialLinkText("Open in Braze EU (");
    person.driver().find(link).await.unwrap().click().await.unwrap();
    person.sees("Hello {{${first_name} | default: 'friend'}}").await;
}
