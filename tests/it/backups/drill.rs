//! A restore drill: a backup of a service under load is restored elsewhere, and all that was acknowledged is there.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};
use serde_json::json;

use super::{create, create_at, create_webhook, file, found, names_with};
use crate::process::{Service, key_file, mode};
use crate::support::until;

/// How many contacts there are before the backup begins.
const BEFORE: usize = 20;

#[expect(clippy::too_many_lines, reason = "one story from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_of_a_busy_service_has_all_acknowledged_writes() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--rate-limit-standard", "0"]);
    let key = service.bootstrap_key();
    let test = create_webhook(&service, &key).await;
    for number in 0..BEFORE {
        let _ = create(&service, &key, number).await.expect(201);
    }

    let (stopped, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(BEFORE)));
    let writing = {
        let (base, key) = (service.base.clone(), key.clone());
        let (stopped, written) = (Arc::clone(&stopped), Arc::clone(&written));
        tokio::spawn(async move {
            while !stopped.load(Ordering::Relaxed) {
                let number = written.load(Ordering::Relaxed);
                let _ = create_at(&base, &key, number).await.expect(201);
                written.store(number + 1, Ordering::Relaxed);
            }
        })
    };
    let more = |than: usize| {
        let written = Arc::clone(&written);
        until(Duration::from_secs(20), async move || written.load(Ordering::Relaxed) > than)
    };
    more(BEFORE + 5).await;
    let acknowledged = written.load(Ordering::Relaxed);
    let backup = file(&database, "hub.backup");
    let made = Binary::on(&database).json(&["backup", &backup]);
    more(written.load(Ordering::Relaxed)).await;
    stopped.store(true, Ordering::Relaxed);
    writing.await.expect("every write was acknowledged");
    drop(service);

    assert_eq!(mode(Path::new(&backup)), 0o600);
    assert_eq!(names_with(&database, "hub.backup"), ["hub.backup"], "nothing is left beside it");
    let backed_up = made["rows"]["contacts"].as_u64().expect("a number");
    assert!(usize::try_from(backed_up).expect("few") >= acknowledged, "{made}");
    assert_eq!(made["master_keys"].as_array().map(Vec::len), Some(1), "{made}");

    let elsewhere = TestDatabase::empty();
    std::fs::copy(key_file(&database), key_file(&elsewhere)).expect("a copy of the key");
    let secret_key_file = key_file(&elsewhere);
    let restore = ["restore", &backup, "--secret-key-file", &secret_key_file];
    let restored = Binary::on(&elsewhere).json(&restore);
    assert_eq!(restored["rows"], made["rows"], "each table has its rows");
    assert_eq!(restored["master_keys_fit"], true, "{restored}");

    let mut again = Service::serve(&elsewhere, &[]);
    for number in 0..acknowledged {
        let search = format!("/contacts?search=p{number}@example.com");
        let answer = again.call("GET", &search, &key, None).await.expect(200);
        assert_eq!(answer.data()[0]["first_name"], json!(format!("Person{number}")), "{search}");
    }
    let opened = again.call("POST", &test, &key, Some(&json!({}))).await;
    assert_eq!(opened.status, 200, "the webhook's secret opens: {}", opened.text);
    let _ = create(&again, &key, 1_000_000).await.expect(201);
    again.stop();
    let checked = Binary::on(&elsewhere).run(&["check", "--secret-key-file", &secret_key_file]);
    let checked = serde_json::from_slice(&checked.stdout).expect("a report");
    for check in ["schema", "integrity", "counts", "secrets"] {
        assert_eq!(found(&checked, check)["level"], "ok", "{checked}");
    }
}
