//! Backups that the service creates on a schedule.

use std::path::PathBuf;
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};

use super::{create, file};
use crate::process::{Service, expect_refused, mode};
use crate::support::until;

const PATIENCE: Duration = Duration::from_secs(30);

/// The names of existing files, which are the oldest.
const OLD: [&str; 3] = [
    "hub.scheduled-20200101T000000Z.db",
    "hub.scheduled-20200102T000000Z.db",
    "hub.scheduled-20200103T000000Z.db",
];

/// The names of files that look similar, but that the service did not create.
const OTHERS: [&str; 4] = [
    "hub.scheduled-20200101T000000Z.db.copy",
    "hub.scheduled-yesterday.db",
    "other.scheduled-20200101T000000Z.db",
    "hub-20200101.db",
];

fn names(directory: &PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

async fn metric(service: &Service, name: &str) -> f64 {
    let text = service.get("/metrics").await.text;
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.rsplit(' ').next()).unwrap_or("-1");
    value.parse().expect("a number")
}

#[expect(clippy::too_many_lines, reason = "one story from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn the_newest_are_kept_and_nothing_else_is_deleted() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        let directory = file(&database, "backups");
        let serve = ["serve", "--backup-dir", &directory];
        expect_refused(&Binary::on(&database).run(&serve), &["--backup-dir", "SQLite"]);
        return;
    }
    let directory = database.directory().join("backups");
    std::fs::create_dir(&directory).unwrap();
    for name in OLD.into_iter().chain(OTHERS) {
        std::fs::write(directory.join(name), "a file").unwrap();
    }
    std::fs::write(directory.join(".hub.scheduled-20200103T000000Z.db.x1.partial"), "half")
        .unwrap();
    let flags = ["--backup-dir", directory.to_str().unwrap(), "--backup-keep", "2"];
    let mut service = Service::serve(&database, &flags);
    let key = service.bootstrap_key();
    let made = "contact_hub_backups_total{outcome=\"succeeded\"}";
    until(PATIENCE, async || metric(&service, made).await > 0.0).await;
    let is_own =
        |name: &&String| name.starts_with("hub.scheduled-20") && name.len() == OLD[0].len();
    let now = names(&directory);
    let own: Vec<&String> = now.iter().filter(is_own).collect();
    assert_eq!(own.len(), 2, "{now:?}");
    assert_eq!(own[0], OLD[2]);
    assert!(OTHERS.iter().all(|other| now.iter().any(|name| name == other)), "{now:?}");
    assert!(!now.iter().any(|name| name.contains("partial")), "{now:?}");
    let newest = directory.join(own[1]);
    assert_eq!(mode(&newest), 0o600);
    assert!(metric(&service, "contact_hub_backup_last_success_timestamp_seconds").await > 1e9);
    assert!(metric(&service, "contact_hub_backup_interval_seconds").await > 86_399.0);
    let _ = create(&service, &key, 1).await.expect(201);
    service.stop();

    let elsewhere = TestDatabase::empty();
    let restored = Binary::on(&elsewhere).json(&["restore", newest.to_str().unwrap()]);
    assert_eq!(restored["pending_migrations"], 0, "{restored}");

    let mut again = Service::serve(&database, &flags);
    let last = "contact_hub_backup_last_success_timestamp_seconds";
    until(PATIENCE, async || metric(&again, last).await > 1e9).await;
    assert_eq!(names(&directory), now, "the next one is due in a day");
    again.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_counted_and_the_service_keeps_running() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    let missing = file(&database, "missing");
    let mut service = Service::serve(&database, &["--backup-dir", &missing]);
    let key = service.bootstrap_key();
    let failed = "contact_hub_backups_total{outcome=\"failed\"}";
    until(PATIENCE, async || metric(&service, failed).await > 0.0).await;
    let _ = create(&service, &key, 1).await.expect(201);
    until(PATIENCE, async || service.log().contains("the database was not backed up")).await;
    service.stop();
}
