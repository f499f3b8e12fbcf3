//! Helpers of several tests: bodies, raw JSON, a second hub on the same database, and waiting for an event.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use contact_hub::backup_settings::BackupSettings;
use contact_hub::edge_settings::EdgeSettings;
use contact_hub::hub::Hub;
use contact_hub::limit_settings::LimitSettings;
use contact_hub::mail_settings::MailSettings;
use contact_hub::oidc_settings::OidcSettings;
use contact_hub::otlp_settings::OtlpSettings;
use contact_hub::replica_settings::ReplicaSettings;
use contact_hub::settings::{DatabaseSettings, ServeSettings};
use contact_hub::webhook_settings::WebhookSettings;
use contact_hub::wire::Environment;
use contact_hub_tests::{Answer, Client, TestDatabase, TestHub};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use reqwest::Method;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An object read one level deep, so that a number keeps its digits.
pub(crate) type Members = BTreeMap<String, Box<RawValue>>;

/// The smallest body that creates a contact.
pub(crate) fn person(email: &str) -> Value {
    json!({"email": email, "first_name": "Ann", "last_name": "Lee"})
}

/// The smallest body with one property set to something else.
pub(crate) fn person_with(name: &str, value: impl Into<Value>) -> Value {
    let mut body = person("ann@example.com");
    body[name] = value.into();
    body
}

/// The smallest body with these field values.
pub(crate) fn person_with_values(email: &str, values: &Value) -> Value {
    let mut body = person(email);
    body["field_values"] = values.clone();
    body
}

/// The contacts of [`fill_with_large`].
pub(crate) const LARGE: usize = 180;

/// Creates contacts whose values are together too large for one look-up.
pub(crate) async fn fill_with_large(client: &Client) {
    let mut keys = Vec::new();
    for n in 0..20 {
        keys.push(client.field(&format!("Large {n}"), "string").await);
    }
    let values: Value = keys.into_iter().map(|key| (key, "x".repeat(5000))).collect();
    let rows = (0..LARGE).map(|n| person_with_values(&format!("large{n}@example.com"), &values));
    for half in rows.collect::<Vec<_>>().chunks(LARGE / 2) {
        let _ = client.post("/contacts/bulk", &json!({ "contacts": half })).await.expect(200);
    }
}

/// Creates a contact and returns its id.
pub(crate) async fn created(client: &Client, body: &Value) -> String {
    let answer = client.post("/contacts", body).await.expect(201);
    answer.data()["id"].as_str().expect("an id").to_owned()
}

/// One contact with its values.
pub(crate) async fn read(client: &Client, id: &str) -> Answer {
    client.get(&format!("/contacts/{id}")).await.expect(200)
}

/// The raw JSON of a contact's value for each field key, in the order of the answer.
pub(crate) fn raw_values(answer: &Answer) -> Vec<(String, String)> {
    let root: Members = serde_json::from_str(&answer.text).expect("an object");
    let data: Members = serde_json::from_str(root["data"].get()).expect("data");
    let entries: Vec<Members> = serde_json::from_str(data["field_values"].get()).expect("entries");
    let pair = |entry: &Members| {
        let key = serde_json::from_str(entry["key"].get()).expect("a key");
        (key, entry["value"].get().to_owned())
    };
    entries.iter().map(pair).collect()
}

/// A request of the contacts interface without a key.
pub(crate) fn without_key(hub: &TestHub, method: Method, path: &str) -> reqwest::RequestBuilder {
    hub.http().request(method, format!("{}/api/public/v1{path}", hub.base()))
}

/// A request of any address of the hub.
pub(crate) async fn get(hub: &TestHub, path: &str) -> Answer {
    Answer::of(hub.http().get(format!("{}{path}", hub.base()))).await
}

/// True for `2026-11-20T09:30:00+00:00`.
pub(crate) fn is_timestamp(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00+00:00"
}

/// Runs statements on a test's database.
pub(crate) fn execute(database: &TestDatabase, text: &str) {
    let url = database.url_text();
    if database.is_postgres() {
        let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
        connection.batch_execute(text).expect(text);
    } else {
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite opens");
        connection.batch_execute("PRAGMA busy_timeout = 10000").expect("a timeout");
        connection.batch_execute(text).expect(text);
    }
}

/// Polls until the answer is true and returns how long it took; fails the test after the deadline.
pub(crate) async fn until(deadline: Duration, mut ask: impl AsyncFnMut() -> bool) -> Duration {
    let started = Instant::now();
    loop {
        // On a busy machine the answer to a question that was asked in time may come late, and be outdated.
        let asked = started.elapsed();
        if ask().await {
            return started.elapsed();
        }
        assert!(asked < deadline, "it did not happen within {deadline:?}");
        tokio::task::yield_now().await;
    }
}

/// Another hub on the database of a test, as another instance of the service would be.
pub(crate) fn second_hub(database: &TestDatabase) -> Hub {
    hub_of(database, &Environment::default())
}

/// The same in a separate environment.
pub(crate) fn hub_of(database: &TestDatabase, environment: &Environment) -> Hub {
    hub_with(database, environment, |_settings| {})
}

/// The same with other settings.
pub(crate) fn hub_with(
    database: &TestDatabase,
    environment: &Environment,
    change: impl FnOnce(&mut ServeSettings),
) -> Hub {
    let secret_key_file = Some(database.directory().join("hub.key"));
    let (database_url, database_pooled) = database.service_address();
    let database = DatabaseSettings {
        database_url,
        database_pooled,
        database_connections: 2,
        database_wait_ms: 20_000,
        database_statement_ms: 20_000,
    };
    let mut settings = ServeSettings {
        audit_retention_days: 400,
        changes_retention_days: 30,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        public_url: None,
        cors_origins: Vec::new(),
        metrics_listen: None,
        metrics_token: None,
        secret_key_file,
        rate_limit_standard: 0,
        rate_limit_bulk: 0,
        database_start_wait_ms: 0,
        no_migrate: true,
        no_bootstrap: true,
        workers: Some(1),
        log: "off".to_owned(),
        edge: EdgeSettings { rate_limit_pages: 0, ..EdgeSettings::default() },
        replicas: ReplicaSettings::default(),
        limits: LimitSettings::default(),
        webhooks: WebhookSettings {
            allow_http: true,
            allow_networks: vec!["127.0.0.0/8".parse().expect("a network")],
            ..WebhookSettings::default()
        },
        mail: MailSettings::default(),
        oidc: OidcSettings::default(),
        backups: BackupSettings::default(),
        otlp: OtlpSettings::default(),
    };
    change(&mut settings);
    Hub::start(&database, &settings, environment).expect("a second hub")
}

/// Sends bytes on a separate connection and returns everything received until the other side closes it.
pub(crate) async fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request).await.expect("it is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8(answer).expect("text")
}

/// The number of statements of a call when nothing else runs: the minimum of several tries, each after a warm-up.
pub(crate) async fn statements_of(hub: &TestHub, mut call: impl AsyncFnMut()) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..5 {
        call().await;
        let before = hub.hub.storage.statements();
        call().await;
        least = least.min(hub.hub.storage.statements() - before);
    }
    least
}

/// How many statements more a list of contacts takes on a cluster: the settings, which begin the transaction elsewhere.
pub(crate) fn settings_of_a_list(hub: &TestHub) -> u64 {
    u64::from(hub.database.cluster().is_some())
}

/// Whether tests with a short and a long form run in their long form.
pub(crate) fn is_long() -> bool {
    std::env::var_os("CONTACT_HUB_TEST_LONG").is_some()
}

/// Fails the test unless every metric has a description.
#[track_caller]
pub(crate) fn expect_described(metrics: &str) {
    for line in metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = line.split(' ').next().expect("a name");
        assert!(metrics.contains(&format!("# HELP {name} ")), "{name} is not described");
    }
}
