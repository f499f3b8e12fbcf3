//! Settings of read replicas, and addresses that are not replicas. `cargo xtask replicas` tests a real one.

use std::time::{Duration, Instant};

use contact_hub_tests::{Binary, TestDatabase};

use crate::process::{Service, bare, expect_refused, key_file};
use crate::support::expect_described;

const PATIENCE: Duration = Duration::from_secs(30);

/// What no output may contain.
const PASSWORD: &str = "hunter2";

/// An address on which nothing listens.
const AWAY: &str = "postgres://hub:hunter2@127.0.0.1:1/hub";

#[test]
fn sqlite_has_no_read_replicas() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    for (url, read_url) in [("sqlite://hub.db", AWAY), (AWAY, "sqlite://hub.db")] {
        let flags = ["serve", "--secret-key-file", &key, "--database-url", url];
        let output = bare(&database, &flags).args(["--database-read-url", read_url]).output();
        let output = output.expect("it runs");
        expect_refused(&output, &["--database-read-url", "SQLite"]);
        assert!(!String::from_utf8_lossy(&output.stderr).contains(PASSWORD));
    }
}

/// The primary itself and a server that is down are skipped, and reads are not affected. On a cluster no replica is used.
#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_servers_that_are_not_replicas_are_skipped() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() || database.cluster().is_some() {
        return;
    }
    let mut primary = url::Url::parse(database.url_text()).expect("an address");
    primary.set_password(Some(PASSWORD)).expect("a password");
    let replicas = format!("{primary} {AWAY}");
    let key = key_file(&database);
    let flags = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
    let mut command = Binary::on(&database).command(&flags);
    command.env("CONTACT_HUB_DATABASE_READ_URL", replicas);
    let mut service = Service::start(&database, command);
    let api_key = service.bootstrap_key();
    let began = Instant::now();
    for reason in ["it is no replica", "it does not answer"] {
        while !service.log().contains(reason) {
            assert!(began.elapsed() < PATIENCE, "{reason}: {}", service.log());
            tokio::task::yield_now().await;
        }
    }
    let list = service.call("GET", "/contacts", &api_key, None).await.expect(200);
    assert_eq!(list.json["meta"]["total"], 0);
    let _ready = service.get("/health/ready").await.expect(200);
    let metrics = service.get("/metrics").await.expect(200).text;
    for line in [
        "contact_hub_db_replica_used{server=\"replica_1\"} 0",
        "contact_hub_db_replica_used{server=\"replica_2\"} 0",
        "contact_hub_db_reads_total{server=\"primary\"} 1",
    ] {
        assert!(metrics.lines().any(|other| other == line), "{line} is not in {metrics}");
    }
    for name in ["contact_hub_db_connections_max{pool=\"replica_1\"}", "pool=\"replica_2\""] {
        assert!(metrics.contains(name), "{name} is not in {metrics}");
    }
    expect_described(&metrics);
    service.stop();
    for output in [service.log(), metrics] {
        assert!(!output.contains(PASSWORD), "{output}");
    }
}
