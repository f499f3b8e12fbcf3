//! No data of an erased person is left in the database.

use std::time::Duration;

use contact_hub_tests::{Answer, Receiver, with_hub, with_idle_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::{contains, erase};
use crate::company::busy::rows_of;
use crate::support::{created, until};

const SOON: Duration = Duration::from_secs(20);

const NAMES: [&str; 7] = [
    "zebulon.quist",
    "Zebulonia",
    "Quistgaardfelt",
    "picture-of-quist",
    "vermillion-umbrella",
    "chartreuse-teapot",
    "field:vintage",
];

fn row(email: &str, first_name: &str, colour: &str) -> Value {
    json!({
        "email": email, "first_name": first_name, "last_name": "Quistgaardfelt",
        "avatar_url": "https://example.com/picture-of-quist.png", "field_values": {"colour": colour},
    })
}

#[expect(clippy::too_many_lines, reason = "one story from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn no_table_or_file_contains_data_of_the_erased_person() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Colour", "string").await;
        client.field("Vintage", "string").await;
        let receiver = Receiver::start(&[200]).await;
        let webhook = json!({"name": "W", "url": receiver.url(), "events": ["contactsChanged"]});
        let _webhook = client.manage().post("/webhooks", &webhook).await.expect(201);
        let others: Vec<Value> = (0..200)
            .map(|n| {
                row(&format!("p{n}@example.com"), "Ann", if n == 0 { "shared-blue" } else { "red" })
            })
            .map(|mut row| {
                row["last_name"] = "Lee".into();
                row["avatar_url"] = Value::Null;
                row
            })
            .collect();
        let bulk = |rows: Value| json!({"contacts": rows});
        let _ = client.post("/contacts/bulk", &bulk(json!(others))).await.expect(200);
        let email = "Zebulon.Quist@example.com";
        let mut first = row(email, "Zebulonia", "vermillion-umbrella");
        first["field_values"]["vintage"] = "old".into();
        let request = client.request(Method::POST, "/contacts").header("Idempotency-Key", "first");
        let made = Answer::of(request.json(&first)).await.expect(201);
        let id = made.data()["id"].as_str().expect("an id").to_owned();
        let unlike = json!([{"email": email, "first_name": "", "last_name": "Lee"}]);
        let request =
            client.request(Method::POST, "/contacts/bulk").header("Idempotency-Key", "two");
        let _ = Answer::of(request.json(&bulk(unlike))).await.expect(200);
        let again = json!([row(email, "Zebulonia", "chartreuse-teapot")]);
        let _ = client.post("/contacts/bulk", &bulk(again)).await.expect(200);
        let _ = client.post("/contacts/bulk", &bulk(json!(others))).await.expect(200);
        let has_arrived = || {
            let requests = receiver.requests();
            requests.iter().any(|it| it.body.contains(&*id) && it.body.contains("field:vintage"))
        };
        until(SOON, async || has_arrived()).await;
        for name in NAMES.into_iter().filter(|name| *name != "vermillion-umbrella") {
            assert!(contains(&hub.database, name), "{name} is not there to begin with");
        }
        let _ = erase(&client, &id, &json!({})).await.expect(204);
        for name in NAMES {
            assert!(!contains(&hub.database, name), "{name} is left");
        }
        assert!(contains(&hub.database, "shared-blue"));
    })
    .await;
}

/// Many distinct values are counted in blocks, and a block begins with one of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_was_the_first_of_a_block_is_erased() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Colour", "string").await;
        for part in 0..3 {
            let rows: Vec<Value> = (part * 1000..part * 1000 + 1000)
                .map(|n| row(&format!("p{n}@example.com"), "Ann", &format!("shade-{n:04}")))
                .collect();
            let bulk = json!({"contacts": rows});
            let _ = client.post("/contacts/bulk", &bulk).await.expect(200);
        }
        let id_of = async |n: usize| {
            let path = format!("/contacts?filter[email]=p{n}@example.com");
            let found = client.get(&path).await.expect(200);
            found.data()[0]["id"].as_str().expect("an id").to_owned()
        };
        // Erasing applies all pending changes of the counts, so there are blocks afterwards.
        let _ = erase(&client, &id_of(2999).await, &json!({})).await.expect(204);
        for n in 998..1003 {
            let _ = erase(&client, &id_of(n).await, &json!({})).await.expect(204);
            assert!(!contains(&hub.database, &format!("shade-{n:04}")), "{n}");
        }
        assert!(contains(&hub.database, "shade-1003"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_rows_of_its_values_are_erased() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["Colour", "Size"] {
            let field = json!({"name": name, "type": "string", "filterable": true});
            let _ = client.post("/fields", &field).await.expect(201);
        }
        let made = |email: &str| {
            let mut body = row(email, "Ann", "red");
            body["field_values"]["size"] = "large".into();
            body
        };
        let kept = client.post("/contacts", &made("kept@example.com")).await.expect(201);
        let erased = client.post("/contacts", &made("erased@example.com")).await.expect(201);
        let indexed = || {
            let (company, user) = (client.made.company.to_string(), client.made.user.to_string());
            rows_of(&hub.database, &company, &user)["indexed_values"]
        };
        assert_eq!(indexed(), 4);
        let id = erased.data()["id"].as_str().expect("an id");
        let _ = erase(&client, id, &json!({})).await.expect(204);
        assert_eq!(indexed(), 2);
        let found = client.get("/contacts?filter[field:size]=large").await.expect(200);
        assert_eq!(found.data()[0]["id"], kept.data()["id"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_emptied_after_an_erasure_with_an_idempotency_key() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        client.field("Colour", "string").await;
        let id = created(&client, &row("zebulon.quist@example.com", "Ann", "red")).await;
        assert!(contains(&hub.database, "zebulon.quist"));
        let path = format!("/contacts/{id}/erase");
        let request = client.manage().request(Method::POST, &path).json(&json!({}));
        let _ = Answer::of(request.header("Idempotency-Key", "k")).await.expect(204);
        until(SOON, async || !contains(&hub.database, "zebulon.quist")).await;
    })
    .await;
}
