//! "Mirroring contacts"

use std::collections::BTreeMap;

use contact_hub_tests::{Client, TestHub, with_hub};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{PROGRAMS, printed, program, run};
use crate::support::{created, person, person_with_values};

#[path = "../../../docs/integrating/mirror.rs"]
mod snippet;

use self::snippet::Hub;

/// The contacts of a company, by id.
async fn stored(client: &Client) -> BTreeMap<String, Value> {
    let (mut contacts, mut number) = (BTreeMap::new(), 1);
    loop {
        let path = format!("/contacts?include=field_values&page[size]=100&page[number]={number}");
        let page = client.get(&path).await.expect(200);
        let data = page.data().as_array().expect("a list");
        let id = |it: &Value| it["id"].as_str().expect("an id").to_owned();
        contacts.extend(data.iter().map(|it| (id(it), it.clone())));
        number += 1;
        if data.len() < 100 {
            return contacts;
        }
    }
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
                let file = directory.path().join(language).display().to_string();
                let mirror = || run(words, &[&file], &hub.base(), &client.made.token, "");
                printed(&tokio::task::block_in_place(mirror), 0);
                let copy = std::fs::read_to_string(&file).expect("a copy");
                let copy: Value = serde_json::from_str(&copy).expect("JSON");
                assert_eq!(copy["contacts"], json!(stored), "{language} in stage {stage}");
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
        assert_eq!(copy.contacts, stored(&client).await);
        change(&client, &erased).await;
        let copy = mirror.mirror(Some(copy)).await.expect("a copy");
        assert_eq!(copy.contacts, stored(&client).await);
        expire(hub, &client).await;
        let copy = mirror.mirror(Some(copy)).await.expect("a copy");
        assert_eq!(copy.contacts, stored(&client).await);
    })
    .await;
}
