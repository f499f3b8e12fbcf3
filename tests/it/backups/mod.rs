//! Backups, restores and checks of an installation.

mod check;
mod drill;
mod ended;
mod feed;
mod refusals;
mod scheduled;

use std::path::PathBuf;

use contact_hub_tests::{Answer, TestDatabase};
use serde_json::{Value, json};

use crate::process::Service;
use crate::support::person;

/// The path of a file in the directory of a test, as an argument.
pub(crate) fn file(database: &TestDatabase, name: &str) -> String {
    database.directory().join(name).display().to_string()
}

/// The names of files in a test's directory that contain this text.
fn names_with(database: &TestDatabase, part: &str) -> Vec<String> {
    let entries = std::fs::read_dir(database.directory()).expect("a directory");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains(part)).collect()
}

/// The file of a SQLite database.
fn database_file(database: &TestDatabase) -> PathBuf {
    PathBuf::from(database.url_text().trim_start_matches("sqlite://"))
}

/// Creates a contact whose first name contains this number.
async fn create(service: &Service, key: &str, number: usize) -> Answer {
    create_at(&service.base, key, number).await
}

/// The same for a service at this address.
async fn create_at(base: &str, key: &str, number: usize) -> Answer {
    let mut body = person(&format!("p{number}@example.com"));
    body["first_name"] = json!(format!("Person{number}"));
    let url = format!("{base}/api/public/v1/contacts");
    Answer::of(reqwest::Client::new().post(url).bearer_auth(key).json(&body)).await
}

/// Creates a webhook, whose secret is sealed. Returns the path that tests it.
async fn create_webhook(service: &Service, key: &str) -> String {
    let webhook = json!({"name": "Ours", "url": "https://receiver.invalid/hook", "events": ["syncRequested"]});
    let path = "/../../manage/v1/webhooks";
    let made = service.call("POST", path, key, Some(&webhook)).await.expect(201);
    format!("{path}/{}/test", made.data()["id"].as_str().expect("an id"))
}

/// A filled database, and a key for it.
async fn filled(database: &TestDatabase) -> String {
    let mut service = Service::serve(database, &[]);
    let key = service.bootstrap_key();
    let _ = create_webhook(&service, &key).await;
    for number in 0..3 {
        let _ = create(&service, &key, number).await.expect(201);
    }
    service.stop();
    key
}

/// The check of this name in a report.
fn found<'a>(report: &'a Value, check: &str) -> &'a Value {
    let mut checks = report["checks"].as_array().expect("checks").iter();
    checks.find(|it| it["check"] == check).unwrap_or_else(|| panic!("no {check} in {report}"))
}
