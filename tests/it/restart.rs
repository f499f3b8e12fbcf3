//! Starting, stopping, crashing, and several servers on one database.

use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::migrating::noted_as_begun;
use crate::process::{Service, bare, expect_refused, key_file, mode};
use crate::support::{person, until};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    rows: i64,
}

fn companies(database: &TestDatabase) -> i64 {
    let query = diesel::sql_query("SELECT count(*) AS rows FROM companies");
    let url = database.url_text();
    let count = |rows: Vec<Count>| rows.first().expect("a row").rows;
    if database.is_postgres() {
        count(query.load(&mut PgConnection::establish(url).expect("PostgreSQL")).expect("a count"))
    } else {
        let path = url.trim_start_matches("sqlite://");
        count(query.load(&mut SqliteConnection::establish(path).expect("SQLite")).expect("a count"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_gets_a_company_whose_key_is_printed_once() {
    let database = TestDatabase::empty();
    let mut first = Service::serve(&database, &[]);
    let key = first.bootstrap_key();
    let _ = first.call("POST", "/contacts", &key, Some(&person("a@example.com"))).await.expect(201);
    first.stop();
    let shown: Vec<&String> =
        first.printed.iter().filter(|line| line.contains("API key")).collect();
    assert_eq!(shown.len(), 1);
    let links = first.printed.iter().filter(|line| line.contains("/sign-in/"));
    assert_eq!(links.count(), 1, "{:?}", first.printed);
    let mut second = Service::serve(&database, &[]);
    let _ = second.call("GET", "/fields", &key, None).await.expect(200);
    second.stop();
    let first_and_only = second.printed.iter().filter(|line| !line.trim().is_empty());
    assert_eq!(first_and_only.count(), 1, "{:?}", second.printed);
    assert_eq!(companies(&database), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_sqlite_is_complete_when_the_service_has_stopped() {
    let (database, copy) = (TestDatabase::empty(), TestDatabase::empty());
    if database.is_postgres() {
        return;
    }
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let ann = person("ann@example.com");
    let _ = service.call("POST", "/contacts", &key, Some(&ann)).await.expect(201);
    let [from, to] = [&database, &copy].map(|it| it.url_text().trim_start_matches("sqlite://"));
    // SQLite copies the log itself only when nobody else has the file open.
    let mut other = SqliteConnection::establish(from).expect("SQLite");
    diesel::sql_query("SELECT 1 FROM contacts").execute(&mut other).expect("it reads");
    service.stop();
    std::fs::copy(from, to).expect("a copy without the log");
    let mut service = Service::serve(&copy, &["--no-bootstrap"]);
    let found = service.call("GET", "/contacts?search=ann", &key, None).await.expect(200);
    assert_eq!(found.json["meta"]["total"], 1);
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_is_the_default_command() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    let command =
        Binary::on(&database).command(&["--listen", "127.0.0.1:0", "--secret-key-file", &key]);
    let mut service = Service::start(&database, command);
    let _ = service.get("/health/ready").await.expect(200);
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_bootstrap_creates_no_company() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--no-bootstrap"]);
    let _ = service.get("/health/ready").await.expect(200);
    service.stop();
    assert_eq!(service.printed.len(), 1, "{:?}", service.printed);
    assert_eq!(companies(&database), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_that_start_at_once_create_one_company() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
    let mut servers =
        [0, 1].map(|_| Service::spawn(&database, Binary::on(&database).command(&serve)));
    let mut printed = 0;
    for server in &mut servers {
        let first = server.next_line().unwrap_or_else(|| panic!("it ended: {}", server.log()));
        server.base = first.strip_prefix("listening on ").unwrap().to_owned();
    }
    let soon = Duration::from_secs(20);
    until(soon, async || companies(&database) > 0).await;
    for server in &mut servers {
        until(soon, async || server.get("/health/ready").await.status == 200).await;
        server.stop();
        printed += server.printed.iter().filter(|line| line.contains("API key")).count();
    }
    assert_eq!((companies(&database), printed), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn data_survives_a_restart_and_a_crash() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let field = json!({"name": "Size", "type": "number"});
    let _ = service.call("POST", "/fields", &key, Some(&field)).await.expect(201);
    let mut ids = Vec::new();
    for round in 0..4 {
        for n in 0..5 {
            let mut body = person(&format!("p{round}-{n}@example.com"));
            body["field_values"] = json!({"size": n});
            let answer = service.call("POST", "/contacts", &key, Some(&body)).await.expect(201);
            ids.push((answer.data()["id"].as_str().unwrap().to_owned(), n));
        }
        if round % 2 == 0 {
            service.stop();
        } else {
            service.signal("KILL");
            service.wait();
        }
        service = Service::serve(&database, &[]);
        for (id, n) in &ids {
            let answer = service.call("GET", &format!("/contacts/{id}"), &key, None).await;
            assert_eq!(answer.expect(200).data()["field_values"][0]["value"], *n);
        }
    }
}

#[test]
fn a_service_that_gets_sigterm_right_after_its_first_line_exits_with_0() {
    for _ in 0..10 {
        let database = TestDatabase::empty();
        Service::serve(&database, &[]).stop();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_does_not_delay_the_shutdown() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--no-bootstrap"]);
    let client = reqwest::Client::new();
    let live = format!("{}/health/live", service.base);
    assert!(client.get(&live).send().await.unwrap().text().await.unwrap().contains("data"));
    let started = std::time::Instant::now();
    service.stop();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_request_is_finished_before_the_shutdown() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let address = service.base.trim_start_matches("http://").to_owned();
    let body = person("late@example.com").to_string();
    let head = format!(
        "POST /api/public/v1/contacts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut continued = [0; 12];
    stream.read_exact(&mut continued).await.unwrap();
    assert_eq!(&continued, b"HTTP/1.1 100");
    service.signal("TERM");
    until(Duration::from_secs(10), async || {
        tokio::net::TcpStream::connect(&address).await.is_err()
    })
    .await;
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.contains("HTTP/1.1 201"), "{answer}");
    let status = service.wait();
    assert_eq!(status.code(), Some(0), "{}", service.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_live_but_not_ready_if_the_schema_is_older_or_newer_than_the_program() {
    let database = TestDatabase::migrated();
    let later = "20261121000002";
    let mark = |text: String| database.execute(&text);
    mark(format!("DELETE FROM __diesel_schema_migrations WHERE version = '{later}'"));
    let mut service = Service::serve(&database, &["--no-migrate"]);
    let _ = service.get("/health/live").await.expect(200);
    let answer = service.get("/health/ready").await;
    let _ = answer.expect_error(503, "SERVICE_UNAVAILABLE");
    mark(format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{later}')"));
    let is_ready = async || service.get("/health/ready").await.status == 200;
    until(Duration::from_secs(10), is_ready).await;
    let newer = "20991231000000";
    mark(format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{newer}')"));
    until(Duration::from_secs(10), async || !is_ready().await).await;
    mark(format!("INSERT INTO compatible_migrations (version) VALUES ('{newer}')"));
    until(Duration::from_secs(10), is_ready).await;
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_schema_returns_an_error_in_the_envelope() {
    let database = TestDatabase::empty();
    noted_as_begun(&database);
    let service = Service::serve(&database, &["--no-migrate"]);
    let token = contact_hub_domain::access::Token::from_random([7; 32]);
    let answer = service.call("GET", "/fields", token.reveal(), None).await;
    assert!(matches!(answer.status, 500 | 503), "{}", answer.text);
    assert!(answer.json["error"]["code"].is_string(), "{}", answer.text);
    for inner in ["relation", "table", "api_keys", "SELECT"] {
        assert!(!answer.text.contains(inner), "{}", answer.text);
    }
}

#[test]
fn sqlite_gets_a_key_file_that_only_its_owner_may_read() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    drop(Service::serve(&database, &[]));
    let file = database.directory().join("hub.key");
    assert_eq!(mode(&file), 0o600);
    let first = std::fs::read(&file).unwrap();
    drop(Service::serve(&database, &[]));
    assert_eq!(std::fs::read(&file).unwrap(), first);
}

#[test]
fn the_key_file_of_sqlite_is_created_beside_the_database() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    let command = Binary::on(&database).command(&["serve", "--listen", "127.0.0.1:0"]);
    drop(Service::start(&database, command));
    let made: Vec<_> = std::fs::read_dir(database.directory())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|ending| ending == "key"))
        .collect();
    assert_eq!(made.len(), 1, "{made:?}");
    assert_eq!(mode(&made[0]), 0o600);
}

#[test]
fn postgresql_without_a_key_file_is_refused() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let binary = Binary::on(&database);
    let without = binary.run(&["serve", "--listen", "127.0.0.1:0"]);
    expect_refused(&without, &["--secret-key-file"]);
    let missing = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", "missing.key"];
    expect_refused(&binary.run(&missing), &["missing.key"]);
}

#[test]
fn a_key_file_without_a_key_is_refused() {
    let database = TestDatabase::empty();
    for content in ["", "nonsense", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        let file = database.directory().join("bad.key");
        std::fs::write(&file, content).unwrap();
        let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", "bad.key"];
        expect_refused(&Binary::on(&database).run(&serve), &["bad.key"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_logs_have_request_ids_and_neither_tokens_nor_emails() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--log", "trace"]);
    let key = service.bootstrap_key();
    let http = reqwest::Client::new();
    let url = format!("{}/api/public/v1/contacts", service.base);
    let body = json!({"email": "secret.person@hidden.example", "first_name": "Hiddenfirst", "last_name": "Hiddenlast"});
    for (id, body) in [("first-call", &body), ("second-call", &body), ("third-call", &json!({}))] {
        let request = http.post(&url).bearer_auth(&key).header("X-Request-Id", id);
        assert!(request.json(body).send().await.unwrap().status().as_u16() > 0);
    }
    let wrong = contact_hub_domain::access::Token::from_random([9; 32]);
    let request = http.get(format!("{url}?search=secret.person@hidden.example"));
    assert_eq!(request.bearer_auth(wrong.reveal()).send().await.unwrap().status(), 401);
    service.stop();
    let log = service.log();
    for id in ["first-call", "second-call", "third-call"] {
        assert!(log.contains(id), "{id}");
    }
    let lower = log.to_lowercase();
    for absent in
        [&key, wrong.reveal(), "secret.person", "hidden.example", "Hiddenfirst", "Hiddenlast"]
    {
        assert!(!lower.contains(&absent.to_lowercase()), "{absent} is in the log");
    }
    assert!(!log.contains('\u{1b}'));
    let lines: Result<Vec<Value>, _> = log.lines().map(serde_json::from_str).collect();
    let lines = lines.unwrap_or_else(|error| panic!("{error}: {log}"));
    let first = lines.iter().find(|line| line["span"]["id"] == "first-call").expect("its line");
    assert_eq!(first["message"], "answered", "{first}");
    assert_eq!(first["level"], "INFO", "{first}");
    assert_eq!(first["span"]["client"], "127.0.0.1", "{first}");
    assert_eq!([&first["method"], &first["route"]], ["POST", "/api/public/v1/contacts"], "{first}");
    assert_eq!(first["status"], 201, "{first}");
    assert!(first["duration_us"].as_u64().is_some_and(|micros| micros > 0), "{first}");
    assert!(first["timestamp"].is_string(), "{first}");
}

#[test]
fn sqlite_in_the_working_directory_is_the_default() {
    let database = TestDatabase::empty();
    let output = bare(&database, &["company", "create", "--name", "A"]).output().unwrap();
    assert!(output.status.success());
    assert!(database.directory().join("contact-hub.db").exists());
}
