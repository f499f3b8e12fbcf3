//! Migrations of filled databases, of several processes, and of programs of several versions.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use contact_hub_storage::{MigrationState, migration_state};
use contact_hub_tests::{Binary, TestDatabase};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use tokio::net::{TcpListener, TcpStream};

use crate::process::{Service, bare, expect_refused, key_file};
use crate::support::until;

/// Longer than the service's timeouts for statements, locks and a busy database.
const LONG: Duration = Duration::from_secs(11);
const PATIENCE: Duration = Duration::from_mins(1);

enum Open {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

impl Open {
    fn on(database: &TestDatabase) -> Self {
        let url = database.url_text();
        if database.is_postgres() {
            Self::Postgres(PgConnection::establish(url).expect("PostgreSQL"))
        } else {
            let path = url.trim_start_matches("sqlite://");
            Self::Sqlite(SqliteConnection::establish(path).expect("SQLite"))
        }
    }

    fn execute(&mut self, text: &str) {
        match self {
            Self::Postgres(connection) => connection.batch_execute(text),
            Self::Sqlite(connection) => connection.batch_execute(text),
        }
        .expect(text);
    }
}

/// A database whose first migration is recorded as applied.
pub(crate) fn noted_as_begun(database: &TestDatabase) {
    Open::on(database).execute(
        "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, \
         run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP); \
         INSERT INTO __diesel_schema_migrations (version) VALUES ('20261120000000')",
    );
}

/// So many contacts that a migration takes a while.
const FEW: u32 = 60_000;

/// A database with the first migration and, on SQLite, this many contacts.
fn filled(contacts: u32) -> TestDatabase {
    let database = TestDatabase::empty();
    let kind = if database.is_postgres() { "postgres" } else { "sqlite" };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(kind);
    let up = folder.join("2026-11-20-000000_contacts/up.sql");
    Open::on(&database).execute(&std::fs::read_to_string(up).unwrap());
    noted_as_begun(&database);
    if !database.is_postgres() {
        Open::on(&database).execute(&format!(
            "PRAGMA journal_mode = WAL; BEGIN; INSERT INTO companies VALUES (x'01', x'02', 'A', 1, '[]', 0); \
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {contacts}) \
             INSERT INTO contacts SELECT randomblob(16), x'01', 'p' || n, 'p' || n, 'p' || n, 'Ann ' || n, \
             'ann ' || n, 'Lee ' || n, 'lee ' || n, NULL, '{{}}', n, n, NULL FROM n; COMMIT",
        ));
    }
    database
}

fn pending(database: &TestDatabase) -> MigrationState {
    migration_state(&database.url()).expect("the database answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_migration_is_rolled_back_and_applied_by_the_next_process() {
    // On SQLite the process must be killed before this migration ends.
    let database = filled(10 * FEW);
    let before = pending(&database);
    let mut blocker = Open::on(&database);
    if database.is_postgres() {
        blocker.execute("BEGIN; LOCK TABLE contacts IN ROW EXCLUSIVE MODE");
    }
    let mut first = Service::spawn(&database, Binary::on(&database).command(&["migrate"]));
    until(PATIENCE, async || first.log().contains("2026-11-20-000001")).await;
    first.signal("KILL");
    first.wait();
    assert_eq!(pending(&database), before);
    if database.is_postgres() {
        blocker.execute("ROLLBACK");
    }
    let MigrationState::Pending(count) = before else { panic!("{before:?}") };
    assert_eq!(Binary::on(&database).json(&["migrate"])["applied"], count);
    assert_eq!(pending(&database), MigrationState::Current);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_waits_for_another_process_without_a_time_limit() {
    let database = filled(FEW);
    let mut other = Open::on(&database);
    other.execute(if database.is_postgres() {
        "SELECT pg_advisory_lock(1667790178)"
    } else {
        "BEGIN IMMEDIATE"
    });
    let started = Instant::now();
    let mut waiting = Service::spawn(&database, Binary::on(&database).command(&["migrate"]));
    until(PATIENCE, async || waiting.log().contains("waiting")).await;
    tokio::time::sleep(LONG.saturating_sub(started.elapsed())).await;
    other.execute(if database.is_postgres() {
        "SELECT pg_advisory_unlock(1667790178)"
    } else {
        "COMMIT"
    });
    let status = waiting.wait();
    assert!(status.success(), "{}", waiting.log());
    assert!(waiting.log().contains("\"of\":"), "{}", waiting.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_waits_for_a_lock_on_its_table_without_a_time_limit() {
    let database = filled(FEW);
    if !database.is_postgres() {
        return;
    }
    let mut blocker = Open::on(&database);
    blocker.execute("BEGIN; LOCK TABLE contacts IN ROW EXCLUSIVE MODE");
    let mut waiting = Service::spawn(&database, Binary::on(&database).command(&["migrate"]));
    until(PATIENCE, async || waiting.log().contains("still being applied")).await;
    tokio::time::sleep(LONG).await;
    blocker.execute("ROLLBACK");
    assert!(waiting.wait().success(), "{}", waiting.log());
}

#[test]
fn a_newer_schema_is_refused_unless_it_is_marked_as_compatible() {
    let database = TestDatabase::migrated();
    let mut connection = Open::on(&database);
    let newer =
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')".to_owned();
    connection.execute(&newer);
    let key = key_file(&database);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
    let binary = Binary::on(&database);
    for command in [
        &["migrate"][..],
        &["company", "create", "--name", "A"],
        &serve,
        &[&serve[..], &["--no-migrate"]].concat(),
    ] {
        expect_refused(&binary.run(command), &["20991231000000", "newer"]);
    }
    connection.execute("INSERT INTO compatible_migrations (version) VALUES ('20991231000000')");
    Service::serve(&database, &[]).stop();
    assert_eq!(binary.json(&["migrate"])["applied"], 0);
}

#[test]
fn an_empty_database_without_migrations_is_refused() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    let serve =
        ["serve", "--listen", "127.0.0.1:0", "--no-migrate", "--secret-key-file", key.as_str()];
    expect_refused(&Binary::on(&database).run(&serve), &["no schema", "contact-hub migrate"]);
}

#[test]
fn without_migrations_the_first_company_is_created_if_the_schema_is_current() {
    let database = TestDatabase::migrated();
    let mut service = Service::serve(&database, &["--no-migrate"]);
    assert!(service.bootstrap_key().starts_with("hub_"));
    service.stop();
}

/// A database behind a port on which nothing listens yet.
async fn behind_a_free_port(database: &TestDatabase) -> (SocketAddr, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut url = url::Url::parse(database.url_text()).expect("an address");
    url.set_port(Some(address.port())).expect("a port");
    (address, url.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_waits_for_its_database_at_start() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let server = url::Url::parse(database.url_text()).expect("an address");
    let server = server.socket_addrs(|| Some(5432)).expect("an address")[0];
    let (address, url) = behind_a_free_port(&database).await;
    let key = key_file(&database);
    let start = |flags: &[&str]| {
        let fixed = ["--listen", "127.0.0.1:0", "--secret-key-file", &key, "--database-url", &url];
        Service::spawn(&database, bare(&database, &[&["serve"], &fixed[..], flags].concat()))
    };
    let mut limited = start(&["--database-start-wait-ms", "1"]);
    assert!(!limited.wait().success());
    let mut stopped = start(&[]);
    until(PATIENCE, async || stopped.log().contains("waiting for the database")).await;
    stopped.stop();
    let mut service = start(&[]);
    until(PATIENCE, async || service.log().contains("waiting for the database")).await;
    let listener = TcpListener::bind(address).await.expect("the port is still free");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut server = TcpStream::connect(server).await.expect("PostgreSQL");
                tokio::io::copy_bidirectional(&mut client, &mut server).await.ok();
            });
        }
    });
    let first = service.next_line().expect("a first line");
    assert!(first.starts_with("listening on "), "{first}");
    service.stop();
}

/// A role that may read and write the rows of a database, and nothing else. It is dropped with this.
struct Writer<'a> {
    database: &'a TestDatabase,
    name: String,
}

impl<'a> Writer<'a> {
    fn of(database: &'a TestDatabase) -> Self {
        let url = url::Url::parse(database.url_text()).expect("an address");
        let name = format!("writer_of_{}", url.path().trim_start_matches('/'));
        database.execute(&format!(
            "CREATE ROLE {name} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC; \
             GRANT USAGE ON SCHEMA public TO {name}; \
             GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}; \
             GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {name}"
        ));
        Self { database, name }
    }

    fn url(&self) -> String {
        let mut url = url::Url::parse(self.database.url_text()).expect("an address");
        url.set_username(&self.name).expect("a name");
        url.into()
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        let name = &self.name;
        self.database.execute(&format!("DROP OWNED BY {name}; DROP ROLE {name}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_only_writes_rows_serves_a_current_schema() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let writer = Writer::of(&database);
    let (key, url) = (key_file(&database), writer.url());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
    let command = bare(&database, &[&serve[..], &["--database-url", &url]].concat());
    let mut service = Service::start(&database, command);
    let key = service.bootstrap_key();
    let body = crate::support::person("ann@example.com");
    let _ = service.call("POST", "/contacts", &key, Some(&body)).await.expect(201);
    let _ = service.call("GET", "/contacts", &key, None).await.expect(200);
    service.stop();
    let log = service.log();
    assert!(!log.contains("\"level\":\"ERROR\"") && !log.contains("denied"), "{log}");
    let migrated = bare(&database, &["migrate", "--database-url", &url]).output().expect("it runs");
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    drop(service);
    drop(writer);
}
