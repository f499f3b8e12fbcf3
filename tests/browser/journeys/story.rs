//! The whole setup of a custom platform with the mouse: from an empty database through the setup steps to content on
//! the platform.

use std::path::Path;
use std::sync::Arc;

use contact_hub::adapters::SystemClock;
use contact_hub_domain::ports::Clock;
use contact_hub_receiver::{Bound, Options, Receiver};
use contact_hub_tests::{Binary, Running, TestDatabase};
use thirtyfour::By;

use crate::person::Person;

/// The secret of the webhook, which the user enters on both sides.
const SECRET: &str = "a secret that both sides know";

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_is_set_up_and_an_email_published_to_it() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let networks = ["--webhook-allow-http", "--webhook-allow-network", "127.0.0.0/8"];
    let mut service = binary.serve(&networks);
    let person = Person::at(&service.base).await;
    sign_in(&person, &mut service).await;
    let folder = tempfile::tempdir().unwrap();
    import(&person, folder.path()).await;
    asset(&person).await;
    let token = key_of_service(&person).await;
    let bound = Bound::to("127.0.0.1:0".parse().unwrap()).await.unwrap();
    webhook(&person, &bound.hook()).await;
    let _platform = platform(bound, &service, token, folder.path());
    connect(&person).await;
    publish(&person).await;
    let (clicks, fields) = person.effort();
    println!("to the first completed sync: {clicks} clicks, {fields} fields");
    assert_eq!((clicks, fields), (19, 10), "docs/pages.md has these numbers");
    see(&person).await;
    assert_eq!(service.terminate(), Some(0));
}

/// Signs in with the link that the first start prints.
async fn sign_in(person: &Person, service: &mut Running) {
    let link = service.sign_in_link();
    person.open(link.strip_prefix(&service.base).unwrap()).await;
    person.arrives("Welcome").await;
    person.fill("New password", "correct horse battery").await;
    person.click("Sign in").await;
    person.arrives("Overview").await;
}

/// Takes a step of the setup.
async fn step(person: &Person, done: u8, label: &str) {
    person.sees(&format!("Set up: {done} of 5 steps done")).await;
    person.click(label).await;
}

async fn import(person: &Person, folder: &Path) {
    step(person, 0, "Import contacts or create a field").await;
    person.arrives("Import contacts").await;
    let file = folder.join("people.csv");
    std::fs::write(&file, "email,first_name,last_name\nann@example.com,Ann,Lee\n").unwrap();
    person.attach("CSV file", &file).await;
    person.sees("Match the columns").await;
    person.click("Import").await;
    person.sees("1 rows read: 1 created").await;
    person.click("Overview").await;
    person.arrives("Overview").await;
}

async fn asset(person: &Person) {
    step(person, 1, "Create an asset").await;
    person.arrives("New asset").await;
    person.fill("Name", "Welcome letter").await;
    person.fill("Subject", "Welcome, {{first_name|friend}}").await;
    person.fill("HTML", "<p>Hello {{first_name|friend}}</p>").await;
    person.click("Save").await;
    person.arrives("Overview").await;
}

/// Creates a user with the permissions that the platform's service needs, and their key.
async fn key_of_service(person: &Person) -> String {
    person.click("API access").await;
    person.click("Create a user for syncs").await;
    person.arrives("New user for syncs").await;
    person.click("Create user and key").await;
    person.sees("It is not shown again.").await;
    let token = person.text_of("#token").await;
    person.click("Overview").await;
    person.arrives("Overview").await;
    token
}

async fn webhook(person: &Person, hook: &str) {
    step(person, 2, "Create a webhook").await;
    person.arrives("New webhook").await;
    person.fill("Webhook Name", "Braze service").await;
    person.fill("Payload URL", hook).await;
    person.fill("Secret", SECRET).await;
    person.click("Create webhook").await;
    person.arrives("Webhook created").await;
    person.click("Continue the setup").await;
    person.arrives("Overview").await;
}

fn platform(bound: Bound, service: &Running, key: String, folder: &Path) -> Receiver {
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
    step(person, 3, "Connect a platform").await;
    person.arrives("Custom platform").await;
    person.fill("Integration Name", "Braze EU").await;
    person.choose("Merge Tag Platform Format", "Braze").await;
    person.click("Connect").await;
    person.arrives("Overview").await;
}

async fn publish(person: &Person) {
    step(person, 4, "Complete the first sync").await;
    person.click("Welcome letter").await;
    person.arrives("Welcome letter").await;
    person.click("Publish").await;
    person.click("Sync to Braze EU").await;
    person.sees("Completed").await;
    person.arrives("Welcome letter").await;
}

/// Checks the deliveries of the sync, and the content on the platform with the platform's tags.
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
