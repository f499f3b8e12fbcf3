//! The change feed of a database that was restored: cursors from before expire, since their mirrors may have read what is lost.

use contact_hub_tests::{Answer, Binary, TestDatabase};
use serde_json::Value;

use super::{create, file};
use crate::process::Service;

/// An answer of the feed after this cursor.
async fn after(service: &Service, key: &str, cursor: &str) -> Answer {
    let path = format!("/../../manage/v1/changes?after={cursor}");
    service.call("GET", &path, key, None).await
}

fn next(answer: &Answer) -> String {
    answer.json["meta"]["next"].as_str().expect("a cursor").to_owned()
}

/// The cursor after the latest entry.
async fn latest(service: &Service, key: &str) -> String {
    next(&after(service, key, "latest").await.expect(200))
}

async fn expect_expired(service: &Service, key: &str, cursors: &[String]) {
    for cursor in cursors {
        after(service, key, cursor).await.expect_error(410, "CURSOR_EXPIRED");
    }
}

/// A mirror that starts anew gets what is written from now on, and so does one that reads from the beginning.
async fn expect_to_begin_anew(service: &Service, key: &str, number: usize) {
    let cursor = latest(service, key).await;
    assert_eq!(latest(service, key).await, cursor);
    assert_eq!(after(service, key, &cursor).await.expect(200).data(), &Value::Array(Vec::new()));
    let made = create(service, key, number).await.expect(201);
    let id = &made.data()["id"];
    let entries = after(service, key, &cursor).await.expect(200);
    assert_eq!(entries.data().as_array().map(Vec::len), Some(1), "{}", entries.text);
    assert_eq!(&entries.data()[0]["object_id"], id);
    let path = "/../../manage/v1/changes";
    let whole = service.call("GET", path, key, None).await.expect(200);
    assert_eq!(whole.data(), entries.data());
    assert_eq!(next(&whole), latest(service, key).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn cursors_from_before_a_restore_expire() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let made = create(&service, &key, 0).await.expect(201);
    let first = made.data()["id"].as_str().expect("an id");
    let kept = latest(&service, &key).await;
    let backup = file(&database, "hub.backup");
    let _ = Binary::on(&database).json(&["backup", &backup]);
    for lost in 1..4 {
        let _ = create(&service, &key, lost).await.expect(201);
    }
    let lost = latest(&service, &key).await;
    drop(service);

    let elsewhere = TestDatabase::empty();
    let _ = Binary::on(&elsewhere).json(&["restore", &backup]);
    let service = Service::serve(&elsewhere, &[]);
    expect_expired(&service, &key, &[kept.clone(), lost.clone()]).await;
    expect_to_begin_anew(&service, &key, 10).await;
    for number in 11..16 {
        let _ = create(&service, &key, number).await.expect(201);
    }
    expect_expired(&service, &key, &[kept.clone(), lost.clone()]).await;
    let path = format!("/../../manage/v1/contacts/{first}/everything");
    let known = service.call("GET", &path, &key, None).await.expect(200);
    assert_eq!(known.data()["changes"].as_array().map(Vec::len), Some(1), "its history is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn cursors_from_before_a_restore_by_other_means_expire() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let mut before = Vec::new();
    for number in 0..3 {
        let _ = create(&service, &key, number).await.expect(201);
        before.push(latest(&service, &key).await);
        let migrated = Binary::on(&database).json(&["migrate", "--restored"]);
        assert_eq!(migrated["applied"], 0, "{migrated}");
        expect_expired(&service, &key, &before).await;
        expect_to_begin_anew(&service, &key, 10 + number).await;
    }
}
