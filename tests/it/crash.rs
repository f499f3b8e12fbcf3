//! A crash in the middle of a bulk leaves all of its rows or none, and loses no acknowledged create. After a crash
//! during the indexing of values, the indexing continues.

use std::time::Duration;

use contact_hub_tests::TestDatabase;
use serde_json::json;

use crate::company::busy::number_in;
use crate::process::Service;
use crate::support::{person, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_during_a_bulk_leaves_all_of_its_rows_or_none() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &["--rate-limit-bulk", "0"]);
    let key = service.bootstrap_key();
    let field = json!({"name": "Size", "type": "number"});
    let _ = service.call("POST", "/fields", &key, Some(&field)).await.expect(201);
    let mut before = 0;
    for round in 0..8_u32 {
        let rows: Vec<_> = (0..1000)
            .map(|n| {
                json!({"email": format!("p{n}-{round}@example.com"), "first_name": "A", "last_name": "B",
                    "field_values": {"size": n % 10}})
            })
            .collect();
        let url = format!("{}/api/public/v1/contacts/bulk", service.base);
        let call = reqwest::Client::new().post(url).bearer_auth(&key);
        let call = tokio::spawn(call.json(&json!({"contacts": rows})).send());
        tokio::time::sleep(Duration::from_millis(u64::from(round) * 40)).await;
        service.signal("KILL");
        service.wait();
        let answered = call.await.expect("it ends").is_ok_and(|it| it.status() == 200);
        service = Service::serve(&database, &["--rate-limit-bulk", "0"]);
        let list = service.call("GET", "/contacts", &key, None).await.expect(200);
        let total = list.json["meta"]["total"].as_i64().expect("a total");
        assert!(total == before || total == before + 1000, "{before} became {total}");
        assert!(!answered || total == before + 1000, "what was answered is there");
        let path = format!("/contacts?filter[email][contains]=-{round}@");
        let found = service.call("GET", &path, &key, None).await.expect(200);
        assert_eq!(found.json["meta"]["total"], total - before, "the count is that of the rows");
        before = total;
    }
}

/// Creates contacts one after the other until the service is down; returns the emails of the acknowledged ones.
async fn create_until_gone(base: String, key: String, who: String) -> Vec<String> {
    let (http, url) = (reqwest::Client::new(), format!("{base}/api/public/v1/contacts"));
    let mut answered = Vec::new();
    for n in 0.. {
        let email = format!("{who}-{n}@example.com");
        let call = http.post(&url).bearer_auth(&key).json(&person(&email)).send().await;
        if call.is_ok_and(|answer| answer.status() == 201) {
            answered.push(email);
        } else {
            break;
        }
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_during_creates_that_share_commits_loses_no_acknowledged_one() {
    let database = TestDatabase::empty();
    let flags = ["--rate-limit-standard", "0"];
    let mut service = Service::serve(&database, &flags);
    let key = service.bootstrap_key();
    for round in 0..3_u32 {
        let clients = (0..32).map(|client| {
            let who = format!("p{round}-{client}");
            tokio::spawn(create_until_gone(service.base.clone(), key.clone(), who))
        });
        let clients: Vec<_> = clients.collect();
        tokio::time::sleep(Duration::from_millis(100 + u64::from(round) * 70)).await;
        service.signal("KILL");
        service.wait();
        let mut answered = Vec::new();
        for client in clients {
            answered.extend(client.await.expect("it ends"));
        }
        service = Service::serve(&database, &flags);
        for email in &answered {
            let again = service.call("POST", "/contacts", &key, Some(&person(email))).await;
            let _ = again.expect(409);
        }
        let list = service.call("GET", "/contacts", &key, None).await.expect(200);
        let path = "/contacts?filter[email][contains]=@example.com";
        let found = service.call("GET", path, &key, None).await.expect(200);
        assert_eq!(found.json["meta"]["total"], list.json["meta"]["total"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn indexing_the_values_of_a_field_is_completed_after_a_crash() {
    let database = TestDatabase::empty();
    let flags = ["--rate-limit-bulk", "0", "--rate-limit-standard", "0"];
    let mut service = Service::serve(&database, &flags);
    let key = service.bootstrap_key();
    let field = json!({"name": "Size", "type": "number"});
    let field = service.call("POST", "/fields", &key, Some(&field)).await.expect(201);
    for part in 0..12 {
        let rows = (0..1000).map(|n| {
            let mut row = person(&format!("p{n}-{part}@example.com"));
            row["field_values"] = json!({"size": n % 10});
            row
        });
        let bulk = json!({"contacts": rows.collect::<Vec<_>>()});
        let _ = service.call("POST", "/contacts/bulk", &key, Some(&bulk)).await.expect(200);
    }
    let path = format!("/fields/{}", field.data()["id"].as_str().expect("an id"));
    let filterable = json!({"filterable": true});
    let _ = service.call("PATCH", &path, &key, Some(&filterable)).await.expect(200);
    let late = Duration::from_mins(1);
    until(late, async || number_in(&database, "indexed_values") > 0).await;
    service.signal("KILL");
    service.wait();
    let indexed = number_in(&database, "indexed_values");
    assert!((1..12_000).contains(&indexed), "{indexed} of 12,000 were indexed before the crash");
    let service = Service::serve(&database, &flags);
    until(late, async || {
        let fields = service.call("GET", "/fields", &key, None).await.expect(200);
        fields.data()[0]["filterable"] == "yes"
    })
    .await;
    assert_eq!(number_in(&database, "indexed_values"), 12_000);
    for size in 0..10 {
        let path = format!("/contacts?filter[field:size]={size}");
        let found = service.call("GET", &path, &key, None).await.expect(200);
        assert_eq!(found.json["meta"]["total"], 1200, "{size}");
    }
}
