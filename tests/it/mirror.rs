//! The sample mirror: its copy finally equals the hub, whatever is written and however often either is killed.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase, with_hub};
use reqwest::Method;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::process::{Service, key_file};
use crate::support::{LARGE, created, fill_with_large, person, until};

const SOON: Duration = Duration::from_mins(1);
const FLAGS: [&str; 4] = ["--rate-limit-standard", "0", "--rate-limit-bulk", "0"];

/// Rows by id, with the values by key.
type Rows = BTreeMap<String, Value>;

/// A running mirror; killed when it is dropped.
struct Mirror {
    child: Child,
    copy: PathBuf,
}

impl Mirror {
    fn start(base: &str, key: &str, copy: &Path) -> Self {
        let mut command = contact_hub_tests::mirror();
        command.args(["--url", base, "--database"]).arg(copy).env("CONTACT_HUB_KEY", key);
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        Self { child, copy: copy.to_owned() }
    }

    /// The first column of the first row; `None` while there is none.
    fn ask(&self, select: &str) -> Option<String> {
        let connection = open(&self.copy)?;
        connection.query_row(select, [], |row| row.get(0)).ok()
    }

    async fn follows(&self) {
        let select = "SELECT phase FROM place";
        until(SOON, async || self.ask(select).is_some_and(|phase| phase == "follow")).await;
    }

    /// Waits until the mirror has applied another change.
    async fn goes_on(&self) {
        let select = "SELECT phase || cursor FROM place";
        let before = self.ask(select);
        until(SOON, async || self.ask(select) != before).await;
    }

    async fn ends_equal_to(&self, base: &str, key: &str) {
        until(SOON, async || copied(&self.copy) == exported(base, key).await).await;
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
    }
}

fn open(copy: &Path) -> Option<Connection> {
    Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()
}

/// The rows of a copy; none while it has no table.
fn copied(copy: &Path) -> Rows {
    let read = || {
        let connection = open(copy)?;
        let select = "SELECT json_object('id', id, 'email', email, 'first_name', first_name, 'last_name', last_name, \
             'avatar_url', avatar_url, 'created_at', created_at, 'updated_at', updated_at, \
             'field_values', json(field_values)) FROM contacts";
        let mut select = connection.prepare(select).ok()?;
        let rows = select.query_map([], |row| row.get::<_, String>(0)).ok()?;
        let rows = rows.map(|row| serde_json::from_str(&row.expect("a row")).expect("JSON"));
        Some(rows.map(|row: Value| (row["id"].as_str().expect("an id").to_owned(), row)).collect())
    };
    read().unwrap_or_default()
}

/// The rows of a hub, as the copy has them.
async fn exported(base: &str, key: &str) -> Rows {
    let url = format!("{base}/api/public/v1/contacts/export");
    let answer = reqwest::Client::new().get(url).bearer_auth(key).send().await.expect("an answer");
    let text = answer.text().await.expect("it is whole");
    let rows = text.lines().map(|line| {
        let mut row: Value = serde_json::from_str(line).expect("a line");
        let values = row["field_values"].as_array().expect("values");
        let pair =
            |it: &Value| (it["key"].as_str().expect("a key").to_owned(), it["value"].clone());
        row["field_values"] = values.iter().map(pair).collect();
        let object = row.as_object_mut().expect("an object");
        let _ = (object.remove("_cursor"), object.remove("supervisor_id"));
        (row["id"].as_str().expect("an id").to_owned(), row)
    });
    rows.collect()
}

/// Rows of a bulk that change or create contacts.
fn bulk(count: u64, rng: &mut fastrand::Rng) -> Value {
    let rows = (0..count).map(|_| {
        let email = format!("p{}@example.com", rng.u16(..2500));
        json!({"email": email, "first_name": "A", "last_name": format!("L{}", rng.u8(..)),
            "avatar_url": rng.bool().then_some("https://example.com/a.png"),
            "field_values": {"size": rng.f64(), "note": rng.bool().then(|| "ö".repeat(rng.usize(1..9)))}})
    });
    json!({"contacts": rows.collect::<Vec<_>>()})
}

/// Makes writes of every kind until it is stopped; calls may fail while the hub is down.
async fn write(base: String, key: String, ids: Vec<String>, seed: u64, stop: Arc<AtomicBool>) {
    let (http, mut rng) = (reqwest::Client::new(), fastrand::Rng::with_seed(seed));
    while !stop.load(Ordering::Relaxed) {
        let id = rng.choice(&ids).expect("an id").clone();
        let email = format!("p{}@example.com", rng.u16(..2500));
        let (post, name) = (Method::POST, format!("N{}", rng.u8(..)));
        let (method, path, body) = match rng.u8(..7) {
            0 | 1 => (post, "public/v1/contacts".to_owned(), person(&email)),
            2 => (Method::PATCH, format!("public/v1/contacts/{id}"), json!({"last_name": name})),
            3 => {
                let values = json!({"field_values": {"size": rng.u32(..)}});
                (Method::PUT, format!("public/v1/contacts/{id}/field-values"), values)
            }
            4 => (Method::DELETE, format!("public/v1/contacts/{id}"), json!({})),
            5 => (post, format!("manage/v1/contacts/{id}/erase"), json!({"block": false})),
            _ => (post, "public/v1/contacts/bulk".to_owned(), bulk(50, &mut rng)),
        };
        let call = http.request(method, format!("{base}/api/{path}")).bearer_auth(&key);
        let _ = call.json(&body).send().await;
    }
}

struct Writers {
    stop: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Writers {
    fn start(base: &str, key: &str, ids: &[String]) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let task = |seed| {
            let (base, key, stop) = (base.to_owned(), key.to_owned(), Arc::clone(&stop));
            tokio::spawn(write(base, key, ids.to_vec(), seed, stop))
        };
        let tasks = (0..3).map(task).collect();
        Self { stop, tasks }
    }

    async fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.expect("it ends");
        }
    }
}

/// Kills the service, and restarts it on the same port.
fn crash(service: &mut Service, database: &TestDatabase) {
    service.signal("KILL");
    service.wait();
    let address = service.base.trim_start_matches("http://").to_owned();
    let key = key_file(database);
    let fixed = ["serve", "--listen", &address, "--secret-key-file", &key];
    *service =
        Service::start(database, Binary::on(database).command(&[&fixed[..], &FLAGS].concat()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_copy_finally_equals_the_hub_although_both_are_killed_twice() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &FLAGS);
    let (key, base) = (service.bootstrap_key(), service.base.clone());
    for (name, kind) in [("Size", "number"), ("Note", "string")] {
        let field = json!({"name": name, "type": kind});
        let _ = service.call("POST", "/fields", &key, Some(&field)).await.expect(201);
    }
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..3 {
        let path = "/contacts/bulk";
        let _ = service.call("POST", path, &key, Some(&bulk(1000, &mut rng))).await.expect(200);
    }
    let ids: Vec<_> = exported(&base, &key).await.into_keys().collect();
    let copy = database.directory().join("copy.db");
    let writers = Writers::start(&base, &key, &ids);

    let mirror = Mirror::start(&base, &key, &copy);
    until(SOON, async || mirror.ask("SELECT id FROM contacts").is_some()).await;
    drop(mirror);
    let mirror = Mirror::start(&base, &key, &copy);
    mirror.follows().await;
    tokio::task::block_in_place(|| crash(&mut service, &database));
    mirror.goes_on().await;
    drop(mirror);
    let mirror = Mirror::start(&base, &key, &copy);
    mirror.goes_on().await;
    tokio::task::block_in_place(|| crash(&mut service, &database));
    mirror.goes_on().await;

    writers.end().await;
    mirror.ends_equal_to(&base, &key).await;
    assert_ne!(copied(&copy).into_keys().collect::<Vec<_>>(), ids, "contacts came and went");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_expired_cursor_the_contacts_are_exported_again() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (base, key) = (hub.base(), client.made.token.clone());
        let gone = created(&client, &person("ann@example.com")).await;
        let stays = created(&client, &person("max@example.com")).await;
        let directory = TempDir::new().expect("a directory");
        let copy = directory.path().join("copy.db");
        let mirror = Mirror::start(&base, &key, &copy);
        mirror.follows().await;
        assert_eq!(copied(&copy).len(), 2);
        drop(mirror);

        let _ = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let new = created(&client, &person("eva@example.com")).await;
        let now = hub.hub.ports.environment.clock.now().plus_seconds(60);
        assert!(hub.hub.storage.expiry().delete_changes(now).await.expect("it deletes") > 0);
        let mirror = Mirror::start(&base, &key, &copy);
        until(SOON, async || copied(&copy).contains_key(&new)).await;
        mirror.ends_equal_to(&base, &key).await;
        assert_eq!(copied(&copy).into_keys().collect::<Vec<_>>(), [stays, new]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_with_too_many_values_for_one_look_up_are_copied() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (base, key) = (hub.base(), client.made.token.clone());
        let directory = TempDir::new().expect("a directory");
        let copy = directory.path().join("copy.db");
        let mirror = Mirror::start(&base, &key, &copy);
        mirror.follows().await;
        drop(mirror);

        fill_with_large(&client).await;
        let mirror = Mirror::start(&base, &key, &copy);
        mirror.ends_equal_to(&base, &key).await;
        assert_eq!(copied(&copy).len(), LARGE);
    })
    .await;
}

/// Answers the first call like this.
async fn answers(head: &'static str) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let base = format!("http://{}", listener.local_addr().expect("its address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let _ = stream.read(&mut [0; 4096]).await.expect("a call");
        stream.write_all(format!("{head}\r\nContent-Length: 0\r\n\r\n").as_bytes()).await.ok();
    });
    base
}

/// The first line that a mirror of the hub at this address reports.
fn reported(base: &str) -> String {
    let directory = TempDir::new().expect("a directory");
    let mut command = contact_hub_tests::mirror();
    command.args(["--url", base, "--database"]).arg(directory.path().join("copy.db"));
    let mut child = command.env("CONTACT_HUB_KEY", "k").stderr(Stdio::piped()).spawn().expect("it");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("reports")).read_line(&mut line).expect("a line");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    line
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mirror_waits_as_long_as_the_hub_asks_and_ends_when_it_is_refused() {
    for (head, words) in [
        ("HTTP/1.1 503 No\r\nRetry-After: 7", ["503", "the next attempt is in 7s"]),
        ("HTTP/1.1 429 No\r\nRetry-After: 9", ["429", "the next attempt is in 9s"]),
        ("HTTP/1.1 408 No", ["408", "the next attempt is in 500ms"]),
        ("HTTP/1.1 500 No", ["500", "the next attempt is in 500ms"]),
        ("not HTTP", ["error", "the next attempt is in 500ms"]),
        ("HTTP/1.1 410 No", ["the cursor has expired", "exported again"]),
        ("HTTP/1.1 401 No", ["Error", "401"]),
    ] {
        let base = answers(head).await;
        let line = tokio::task::block_in_place(|| reported(&base));
        assert!(words.iter().all(|word| line.contains(word)), "{head}: {line}");
    }
}
