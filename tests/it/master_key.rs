//! The master key: lost, changed, and readable by others; and the permissions of SQLite's files.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use contact_hub::adapters::SystemClock;
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{Answer, Binary, Browser, TestDatabase, code_at, field};
use serde_json::{Value, json};

use crate::process::{Service, expect_refused, key_file, mode};

const EMAIL: &str = "ann@acme.example";
const PASSWORD: &str = "correct horse battery";
const OLD: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const NEW: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

fn keys(database: &TestDatabase, lines: &[&str]) {
    let file = key_file(database);
    std::fs::write(&file, lines.join("\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

async fn manage(service: &Service, method: &str, path: &str, key: &str, body: &Value) -> Answer {
    let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
    let url = format!("{}/api/manage/v1{path}", service.base);
    let request = reqwest::Client::new().request(method, url).bearer_auth(key);
    Answer::of(request.json(body)).await
}

fn refused(database: &TestDatabase, words: &[&str]) {
    let key = key_file(database);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
    expect_refused(&Binary::on(database).run(&serve), words);
}

/// A database with a sealed secret, and the path of the webhook with an API key.
async fn with_a_secret(database: &TestDatabase) -> (String, String) {
    keys(database, &[OLD]);
    let mut service = Service::serve(database, &[]);
    let key = service.bootstrap_key();
    let webhook = json!({"name": "Ours", "url": "https://receiver.invalid/hook", "events": ["syncRequested"]});
    let made = manage(&service, "POST", "/webhooks", &key, &webhook).await.expect(201);
    let id = made.data()["id"].as_str().unwrap().to_owned();
    service.stop();
    (format!("/webhooks/{id}/test"), key)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_does_not_start_without_the_key_that_its_secrets_need() {
    let database = TestDatabase::empty();
    let _ = with_a_secret(&database).await;
    let file = key_file(&database);
    std::fs::remove_file(&file).unwrap();
    let words: &[&str] =
        if database.is_postgres() { &["hub.key"] } else { &["hub.key", "missing"] };
    refused(&database, words);
    assert!(!Path::new(&file).exists(), "no new key is made");
    keys(&database, &[NEW]);
    refused(&database, &["hub.key", "sealed under"]);
    keys(&database, &[OLD]);
    Service::serve(&database, &[]).stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn rekeying_reseals_with_the_new_key_beside_a_running_service() {
    let database = TestDatabase::empty();
    let (test, key) = with_a_secret(&database).await;
    let file = key_file(&database);
    let rekey = || Binary::on(&database).json(&["rekey", "--secret-key-file", &file]);
    keys(&database, &[NEW, OLD]);
    let mut running = Service::serve(&database, &[]);
    assert_eq!(rekey(), json!({"resealed": 1, "unopened": 0}));
    assert_eq!(rekey(), json!({"resealed": 0, "unopened": 0}));
    let opened = manage(&running, "POST", &test, &key, &json!({})).await;
    assert_eq!(opened.status, 200, "{}", opened.text);
    running.stop();
    keys(&database, &[NEW]);
    let mut alone = Service::serve(&database, &[]);
    let opened = manage(&alone, "POST", &test, &key, &json!({})).await;
    assert_eq!(opened.status, 200, "{}", opened.text);
    alone.stop();
    keys(&database, &[OLD]);
    let failed = Binary::on(&database).run(&["rekey", "--secret-key-file", &file]);
    assert!(!failed.status.success());
    assert!(String::from_utf8_lossy(&failed.stdout).contains("\"unopened\":1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_email_stays_blocked_under_a_new_key() {
    let database = TestDatabase::empty();
    keys(&database, &[OLD]);
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let contacts = "/../../public/v1/contacts";
    let ann = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
    let made = manage(&service, "POST", contacts, &key, &ann).await.expect(201);
    let erase = format!("/contacts/{}/erase", made.data()["id"].as_str().unwrap());
    let _ = manage(&service, "POST", &erase, &key, &json!({"block": true})).await.expect(204);
    service.stop();
    keys(&database, &[NEW]);
    refused(&database, &["hub.key", "sealed under"]);
    keys(&database, &[NEW, OLD]);
    let file = key_file(&database);
    let rekeyed = Binary::on(&database).json(&["rekey", "--secret-key-file", &file]);
    assert_eq!(rekeyed, json!({"resealed": 1, "unopened": 0}));
    keys(&database, &[NEW]);
    let mut alone = Service::serve(&database, &[]);
    let refused = manage(&alone, "POST", contacts, &key, &ann).await;
    refused.expect_error(409, "CONTACT_ERASED");
    alone.stop();
}

/// A user with a password and two-step verification; the secret of the app.
async fn with_two_step(binary: &Binary<'_>, base: &str) -> String {
    let made = |made: Value| made["id"].as_str().unwrap().to_owned();
    let company = made(binary.json(&["company", "create", "--name", "Acme"]));
    let user = ["user", "create", "--company", &company, "--email", EMAIL];
    let user = made(binary.json(&user));
    let link = ["user", "sign-in-link", "--id", &user, "--public-url", "https://hub.example"];
    let url = binary.json(&link)["url"].as_str().unwrap().to_owned();
    let browser = Browser::new(base);
    let path = url.strip_prefix("https://hub.example").unwrap();
    let _ = browser.post(path, &[("password", PASSWORD)]).await.expect(303);
    let page = browser.get("/account/two-step").await.expect(200);
    let (secret, token) = (field(&page.text, "secret").unwrap(), field(&page.text, "csrf_token"));
    let (code, token) = (code_at(&secret, SystemClock.now()), token.unwrap());
    let on = [("csrf_token", token.as_str()), ("secret", &secret), ("code", &code)];
    let _ = browser.post("/account/two-step/on", &on).await.expect(200);
    secret
}

#[tokio::test(flavor = "multi_thread")]
async fn two_step_codes_are_accepted_under_a_new_key() {
    let database = TestDatabase::empty();
    keys(&database, &[OLD]);
    let binary = Binary::on(&database);
    let mut service = Service::serve(&database, &["--no-bootstrap"]);
    let secret = with_two_step(&binary, &service.base).await;
    service.stop();
    keys(&database, &[NEW, OLD]);
    let file = key_file(&database);
    let rekeyed = binary.json(&["rekey", "--secret-key-file", &file]);
    assert_eq!(rekeyed, json!({"resealed": 1, "unopened": 0}));
    keys(&database, &[NEW]);
    let mut alone = Service::serve(&database, &["--no-bootstrap"]);
    let other = Browser::new(&alone.base);
    let _ = other.post("/sign-in", &[("email", EMAIL), ("password", PASSWORD)]).await.expect(303);
    let code = code_at(&secret, SystemClock.now().plus_seconds(30));
    let _ = other.post("/sign-in/code", &[("code", &code)]).await.expect(303);
    let _ = other.get("/account").await.expect(200);
    alone.stop();
    keys(&database, &[OLD]);
    refused(&database, &["hub.key", "sealed under"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_file_that_others_can_read_causes_a_warning() {
    let database = TestDatabase::empty();
    keys(&database, &[OLD]);
    let file = key_file(&database);
    for (bits, warned) in [(0o600, false), (0o640, true)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(bits)).unwrap();
        let mut service = Service::serve(&database, &[]);
        service.stop();
        assert_eq!(service.log().contains("set its mode to 600"), warned, "{}", service.log());
        assert_eq!(mode(Path::new(&file)), bits);
    }
}

#[test]
fn the_files_of_sqlite_are_only_readable_by_their_owner() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    let mut service = Service::serve(&database, &[]);
    let _ = service.bootstrap_key();
    for ending in ["", "-wal", "-shm"] {
        let file = format!("{}{ending}", database.url_text().trim_start_matches("sqlite://"));
        assert_eq!(mode(Path::new(&file)), 0o600, "{file}");
    }
    drop(service);
}
