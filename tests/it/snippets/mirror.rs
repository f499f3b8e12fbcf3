//! "Mirroring contacts"

use std::collections::BTreeMap;
use std::path::Path;

use contact_hub_tests::{Client, TestHub, with_hub};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{PROGRAMS, printed, program, run};
use crate::support::{LARGE, created, fill_with_large, person, person_with_values};

#[path = "../../../docs/integrating/mirror.rs"]
mod snippet;

use self::snippet::Hub;

/// Numbers that 64 bits cannot hold.
const NUMBERS: [&str; 2] = ["0.12345678901234567890123", "1e400"];

/// The contacts of a company, by id, with their values by key.
async fn stored(client: &Client) -> BTreeMap<String, Value> {
    let (mut contacts, mut number) = (BTreeMap::new(), 1);
    loop {
        let path = format!("/contacts?include=field_values&page[size]=100&page[number]={number}");
        let page = client.get(&path).await.expect(200);
        let data = page.data().as_array().expect("a list");
        let id = |it: &Value| it["id"].as_str().expect("an id").to_owned();
        contacts.extend(data.iter().map(|it| (id(it), by_key(it))));
        number += 1;
        if data.len() < 100 {
            return contacts;
        }
    }
}

fn by_key(contact: &Value) -> Value {
    let mut contact = contact.clone();
    let values = contact["field_values"].as_array().expect("values").iter();
    let pair = |it: &Value| (it["key"].as_str().expect("a key").to_owned(), it["value"].clone());
    contact["field_values"] = values.map(pair).collect();
    contact
}

/// The contacts as the copy of a language has them. Except in Go numbers are texts.
fn expected(mut stored: BTreeMap<String, Value>, language: &str) -> Value {
    for contact in stored.values_mut().filter(|_| language != "go") {
        let values = contact["field_values"].as_object_mut().expect("values");
        for value in values.values_mut().filter(|value| value.is_number()) {
            *value = value.to_string().into();
        }
    }
    json!(stored)
}

/// The contacts as the copy of the snippet in Rust has them.
fn typed(mut stored: BTreeMap<String, Value>) -> Value {
    for contact in stored.values_mut() {
        contact.as_object_mut().expect("an object").remove("supervisor_id");
    }
    json!(stored)
}

/// Runs the snippet of a language, and returns its copy.
fn mirrored(words: &[String], file: &Path, hub: &TestHub, key: &str) -> String {
    let name = file.display().to_string();
    printed(&tokio::task::block_in_place(|| run(words, &[&name], &hub.base(), key, "")), 0);
    std::fs::read_to_string(file).expect("a copy")
}

async fn fill(client: &Client) -> String {
    let _ = client.field("Size", "number").await;
    let row = |n| person_with_values(&format!("p{n}@example.com"), &json!({"size": n}));
    let rows: Vec<_> = (0..150).map(row).collect();
    let _ = client.post("/contacts/bulk", &json!({ "contacts": rows })).await.expect(200);
    created(client, &person("gone@example.com")).await
}

/// Changes, deletes, restores, erases and creates contacts.
async fn change(client: &Client, erased: &str) {
    let ids: Vec<_> = stored(client).await.into_keys().filter(|id| id != erased).collect();
    let _ = client
        .patch(&format!("/contacts/{}", ids[0]), &json!({"last_name": "X"}))
        .await
        .expect(200);
    let _ = client.delete(&format!("/contacts/{}", ids[1])).await.expect(204);
    let restored = client.get(&format!("/contacts/{}", ids[2])).await.expect(200);
    let _ = client.delete(&format!("/contacts/{}", ids[2])).await.expect(204);
    let email = restored.data()["email"].as_str().expect("an email");
    assert_eq!(created(client, &person(email)).await, ids[2]);
    let erase = format!("/contacts/{erased}/erase");
    let _ = client.manage().post(&erase, &json!({"block": false})).await.expect(204);
    let _ = created(client, &person("new@example.com")).await;
}

/// Deletes a contact, and then the feed.
async fn expire(hub: &TestHub, client: &Client) {
    let id = stored(client).await.into_keys().next().expect("a contact");
    let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
    let now = hub.hub.ports.environment.clock.now().plus_seconds(60);
    assert!(hub.hub.storage.expiry().delete_changes(now).await.expect("it deletes") > 0);
}

async fn fill_with_numbers(client: &Client) {
    for number in NUMBERS {
        let person = format!(
            r#"{{"email": "{number}@example.com", "first_name": "N", "last_name": "L", "field_values": {{"size": {number}}}}}"#
        );
        let _ = client.post_text("/contacts", person).await.expect(201);
    }
}

/// All contacts were copied, with every digit.
#[track_caller]
fn assert_whole(contacts: usize, copy: &str, language: &str) {
    assert_eq!(contacts, LARGE + NUMBERS.len(), "{language}");
    let quote = if matches!(language, "go" | "rs") { "" } else { "\"" };
    for number in NUMBERS {
        let value = format!("\"size\":{quote}{number}{quote}");
        assert!(copy.replace("\": ", "\":").contains(&value), "{language}: {number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_values_are_looked_up_in_parts_and_numbers_keep_their_digits() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.field("Size", "number").await;
        let key = &client.made.token;
        let directory = TempDir::new().expect("a directory");
        let found =
            |language: &'static str| Some((language, program(&format!("mirror.{language}"))?));
        let all: Vec<_> = PROGRAMS.into_iter().filter_map(found).collect();
        for (language, words) in &all {
            mirrored(words, &directory.path().join(language), hub, key);
        }
        let typed = Hub { url: hub.base(), key: key.clone() };
        let copy = typed.mirror(None).await.expect("a copy");
        fill_with_large(&client).await;
        fill_with_numbers(&client).await;
        for (language, words) in &all {
            let copy = mirrored(words, &directory.path().join(language), hub, key);
            assert_whole(copy.matches("\"first_name\"").count(), &copy, language);
        }
        let copy = typed.mirror(Some(copy)).await.expect("a copy");
        let text = serde_json::to_string(&copy.contacts).expect("JSON");
        assert_whole(copy.contacts.len(), &text, "rs");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_equals_the_hub_after_each_run() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let erased = fill(&client).await;
        let directory = TempDir::new().expect("a directory");
        let all = PROGRAMS.map(|language| (language, program(&format!("mirror.{language}"))));
        for stage in 0..3 {
            match stage {
                0 => {}
                1 => change(&client, &erased).await,
                _ => expire(hub, &client).await,
            }
            let stored = stored(&client).await;
            for (language, words) in &all {
                let Some(words) = words else { continue };
                let file = directory.path().join(language);
                let copy = mirrored(words, &file, hub, &client.made.token);
                let copy: Value = serde_json::from_str(&copy).expect("JSON");
                let expected = expected(stored.clone(), language);
                assert_eq!(copy["contacts"], expected, "{language} in stage {stage}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_snippet_does_the_same() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let erased = fill(&client).await;
        let mirror = Hub { url: hub.base(), key: client.made.token.clone() };
        let copy = mirror.mirror(None).await.expect("a copy");
        assert_eq!(json!(copy.contacts), typed(stored(&client).await));
        change(&client, &erased).await;
        let copy = mirror.mirror(Some(copy)).await.expect("a copy");
        assert_eq!(json!(copy.contacts), typed(stored(&client).await));
        expire(hub, &client).await;
        let copy = mirror.mirror(Some(copy)).await.expect("a copy");
        assert_eq!(json!(copy.contacts), typed(stored(&client).await));
    })
    .await;
}
