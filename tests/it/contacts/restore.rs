//! `POST /contacts` with the email of a deleted contact.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values, read};

async fn deleted(client: &Client, body: &Value) -> Value {
    let answer = client.post("/contacts", body).await.expect(201).data().clone();
    let id = answer["id"].as_str().expect("an id");
    let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_id_and_created_at_and_takes_the_submitted_attributes() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut body = person("Ann@Example.com");
        body["avatar_url"] = json!("https://pictures.example/1");
        let old = deleted(&client, &body).await;
        hub.clock.advance(10);
        let body = json!({"email": "ann@example.COM", "first_name": "Anna", "last_name": "Li"});
        let restored = client.post("/contacts", &body).await.expect(201);
        let data = restored.data();
        assert_eq!((&data["id"], &data["created_at"]), (&old["id"], &old["created_at"]));
        assert_eq!(data["email"], "ann@example.COM");
        assert_eq!((&data["first_name"], &data["last_name"]), (&json!("Anna"), &json!("Li")));
        assert_eq!(data["avatar_url"], Value::Null);
        assert!(data["updated_at"].as_str() > old["updated_at"].as_str());
        assert!(data.get("field_values").is_none());
        let id = old["id"].as_str().unwrap();
        assert_eq!(restored.header("location"), client.url(&format!("/contacts/{id}")));
        let shown = read(&client, id).await;
        assert_eq!(shown.data()["updated_at"], data["updated_at"]);
        assert_eq!(shown.data()["first_name"], "Anna");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_earlier_values_and_overwrites_them_with_submitted_ones() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["One", "Two", "Three", "Four"] {
            client.field(name, "string").await;
        }
        let values = json!({"one": "1", "two": "2", "three": "3"});
        deleted(&client, &person_with_values("ann@example.com", &values)).await;
        let values = json!({"two": "zwei", "four": "4"});
        let id = created(&client, &person_with_values("ann@example.com", &values)).await;
        let shown = read(&client, &id).await;
        let pairs: Vec<(&str, &str)> = shown.data()["field_values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (entry["key"].as_str().unwrap(), entry["value"].as_str().unwrap()))
            .collect();
        assert_eq!(pairs, [("one", "1"), ("two", "zwei"), ("three", "3"), ("four", "4")]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_null_value_is_treated_as_absent_so_the_earlier_one_is_kept() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("One", "string").await;
        deleted(&client, &person_with_values("ann@example.com", &json!({"one": "1"}))).await;
        let body = person_with_values("ann@example.com", &json!({"one": null}));
        let id = created(&client, &body).await;
        assert_eq!(read(&client, &id).await.data()["field_values"][0]["value"], "1");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_can_be_deleted_and_restored_repeatedly() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let first = deleted(&client, &person("ann@example.com")).await;
        for _ in 0..3 {
            let again = deleted(&client, &person("ANN@example.com")).await;
            assert_eq!(again["id"], first["id"]);
        }
        assert_eq!(created(&client, &person("ann@example.com")).await, first["id"]);
        let answer = client.post("/contacts", &person("ann@example.com")).await;
        let _ = answer.expect_error(409, "CONTACT_ALREADY_EXISTS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_creates_with_a_deleted_email_restores_it() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let old = deleted(&client, &person("ann@example.com")).await;
        let calls = (0..8).map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.post("/contacts", &person("ann@example.com")).await })
        });
        let mut restored = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            let answer = call.await.unwrap();
            match answer.status {
                201 => restored.push(answer.data()["id"].clone()),
                _ => drop(answer.expect_error(409, "CONTACT_ALREADY_EXISTS")),
            }
        }
        assert_eq!(restored, [old["id"].clone()]);
    })
    .await;
}
