//! The number of statements of requests, including BEGIN and COMMIT. Keys and fields are cached.

use std::time::Instant;

use contact_hub_tests::{Answer, Client, TestHub, with_idle_hub};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values, settings_of_a_list, statements_of};

async fn client_with_five_fields(hub: &TestHub) -> Client {
    let client = hub.client().await;
    for name in ["One", "Two", "Three", "Four", "Five"] {
        client.field(name, "number").await;
    }
    client
}

/// How many statements a write takes. On a cluster a transaction that inserts contacts also locks their company, one that
/// locks contacts asks whether a later transaction has ended, and one that writes on a node and on the coordinator prepares
/// its commit.
fn by_database(hub: &TestHub, postgres: u64, cluster: u64, sqlite: u64) -> u64 {
    if hub.database.cluster().is_some() {
        cluster
    } else if hub.database.is_postgres() {
        postgres
    } else {
        sqlite
    }
}

fn five_values(email: &str) -> Value {
    let values = json!({"one": 1, "two": 2, "three": 3, "four": 4, "five": 5});
    person_with_values(email, &values)
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_a_contact_without_values_takes_five() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let mut n = 0;
        let create = async || {
            n += 1;
            created(&client, &person(&format!("p{n}@example.com"))).await;
        };
        // BEGIN, the contact, whether emails are blocked, the changes of the counts with the entry of the feed, COMMIT.
        // SQLite takes two statements for the changes and the entry.
        let most = by_database(hub, 5, 7, 6);
        assert_eq!(statements_of(hub, create).await, most);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_a_contact_with_five_values_takes_five() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        let mut n = 0;
        let create = async || {
            n += 1;
            created(&client, &five_values(&format!("p{n}@example.com"))).await;
        };
        // BEGIN, the contact, whether emails are blocked, the changes of the counts with the entry of the feed, COMMIT.
        // SQLite takes two statements for the changes and the entry.
        let most = by_database(hub, 5, 7, 6);
        assert_eq!(statements_of(hub, create).await, most);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_a_contact_with_a_key_takes_two_more() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        let mut n = 0;
        let mut call = async |is_new: bool| {
            n += u32::from(is_new);
            let body = five_values(&format!("p{n}@example.com"));
            let request = client.request(Method::POST, "/contacts").json(&body);
            let request = request.header("Idempotency-Key", format!("k{n}"));
            let _ = Answer::of(request).await.expect(201);
        };
        // BEGIN, the key, the contact, whether emails are blocked, the changes of the counts with the entry of the feed, the
        // answer, COMMIT. SQLite takes two statements for the changes and the entry.
        let most = by_database(hub, 7, 9, 8);
        assert_eq!(statements_of(hub, async || call(true).await).await, most);
        // BEGIN, the key and the end, together with others and separately, and the answer.
        assert_eq!(statements_of(hub, async || call(false).await).await, 7);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_email_takes_four() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        created(&client, &five_values("ann@example.com")).await;
        let create = async || {
            let _ = client.post("/contacts", &five_values("ann@example.com")).await.expect(409);
        };
        // BEGIN, the attempt, the holder, COMMIT.
        assert_eq!(statements_of(hub, create).await, by_database(hub, 4, 6, 4));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_contact_takes_none() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        created(&client, &five_values("ann@example.com")).await;
        let create = async || {
            let mut body = five_values("ann@example.com");
            body["field_values"]["one"] = json!("x");
            let _ = client.post("/contacts", &body).await.expect(422);
        };
        assert_eq!(statements_of(hub, create).await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_field_key_is_looked_up_once() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        let create = async || {
            let values = json!({"one": 1, "unknown": 1, "other": 2});
            let body = person_with_values("ann@example.com", &values);
            let _ = client.post("/contacts", &body).await.expect(422);
        };
        assert_eq!(statements_of(hub, create).await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_a_contact_takes_one() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        let id = created(&client, &five_values("ann@example.com")).await;
        let read = async || {
            let _ = client.get(&format!("/contacts/{id}")).await.expect(200);
        };
        assert_eq!(statements_of(hub, read).await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_by_cursor_takes_three_even_with_values() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        for n in 0..5 {
            created(&client, &five_values(&format!("p{n}@example.com"))).await;
        }
        for query in ["page[after]=", "page[total]=false", "sort[]=email&page[after]="] {
            let list = async || {
                let path = format!("/contacts?{query}&page[size]=2&include=field_values");
                let _ = client.get(&path).await.expect(200);
            };
            // BEGIN, the contacts, COMMIT.
            let most = 3 + settings_of_a_list(hub);
            assert_eq!(statements_of(hub, list).await, most, "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn listing_the_fields_takes_one() {
    with_idle_hub(async |hub| {
        let client = client_with_five_fields(hub).await;
        let list = async || {
            let _ = client.get("/fields").await.expect(200);
        };
        assert_eq!(statements_of(hub, list).await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_a_field_takes_seven() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let mut n = 0;
        let create = async || {
            n += 1;
            client.field(&format!("Field {n}"), "date").await;
        };
        // BEGIN, the company's lock, the key's holder, the number of fields, the field, the entries of the feed and the
        // audit, COMMIT. SQLite takes two statements for the entries.
        let most = by_database(hub, 7, 8, 8);
        assert_eq!(statements_of(hub, create).await, most);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requesting_a_sync_takes_seven() {
    with_idle_hub(async |hub| {
        let client = hub.client().await.manage();
        let webhook = json!({"name": "Hook", "url": "https://receiver.example/", "events": ["syncRequested"]});
        let _ = client.post("/webhooks", &webhook).await.expect(201);
        let integration =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        let integration = client.post("/integrations", &integration).await.expect(201);
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let mut assets = Vec::new();
        for _ in 0..10 {
            assets.push(client.post("/assets", &asset).await.expect(201).data()["id"].clone());
        }
        let body = json!({"integration_id": integration.data()["id"]});
        let request = async || {
            let asset = assets.pop().expect("an asset");
            let path = format!("/assets/{}/syncs", asset.as_str().expect("an id"));
            let _ = client.post(&path, &body).await.expect(202);
        };
        // BEGIN, the asset, the integration, the webhooks, earlier syncs, the sync with its event, deliveries and entry
        // of the feed, COMMIT. SQLite takes one statement for each of the four.
        let most = if hub.database.is_postgres() { 7 } else { 10 };
        assert_eq!(statements_of(hub, request).await, most);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_takes_few_however_many_fields_there_are() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for n in 0..200 {
            client.field(&format!("Text{n}"), "string").await;
        }
        let values = json!({"text1": "a", "text7": "b", "text199": "x".repeat(100)});
        let rows: Vec<_> =
            (0..2000).map(|n| person_with_values(&format!("p{n}@example.com"), &values)).collect();
        for part in rows.chunks(1000) {
            let _ = client.post("/contacts/bulk", &json!({"contacts": part})).await.expect(200);
        }
        let export = async || {
            let all = browser.get("/contacts/export.csv").await.expect(200);
            assert_eq!(all.text.lines().count(), 2001);
        };
        // Parts of 100, 200, 400, 800 and 500 contacts, each in a transaction; the session, the fields and the company's
        // settings. The session is looked up again once a second, and the fastest of five times two exports counts.
        let began = Instant::now();
        let taken = statements_of(hub, export).await - 5 * settings_of_a_list(hub);
        let most = 21 + began.elapsed().as_secs() / 5;
        assert!((15..=most).contains(&taken), "{taken} statements");
    })
    .await;
}
