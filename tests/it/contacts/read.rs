//! `GET /contacts/{id}`

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values, read};

#[tokio::test(flavor = "multi_thread")]
async fn returns_what_create_returned_and_the_values() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut answered =
            client.post("/contacts", &person("ann@example.com")).await.expect(201).data().clone();
        let shown = read(&client, answered["id"].as_str().unwrap()).await;
        answered["field_values"] = json!([]);
        assert_eq!(shown.json, json!({"data": answered}));
        assert_eq!(shown.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_value_is_returned_with_its_field() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "Job Title", "type": "string"});
        let field = client.post("/fields", &body).await.expect(201).data().clone();
        let body = person_with_values("ann@example.com", &json!({"jobTitle": "Boss"}));
        let id = created(&client, &body).await;
        let expected = json!([{
            "field_id": field["id"], "key": "jobTitle", "name": "Job Title", "type": "string", "value": "Boss"
        }]);
        assert_eq!(read(&client, &id).await.data()["field_values"], expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_in_the_order_in_which_the_fields_were_created() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["Zeta", "Alpha", "Mid", "Unused", "Beta"] {
            client.field(name, "number").await;
        }
        let values = json!({"alpha": 1, "beta": 2, "mid": 3, "zeta": 4});
        let id = created(&client, &person_with_values("ann@example.com", &values)).await;
        let shown = read(&client, &id).await;
        let entries = shown.data()["field_values"].as_array().unwrap();
        let keys: Vec<&Value> = entries.iter().map(|entry| &entry["key"]).collect();
        assert_eq!(keys, ["zeta", "alpha", "mid", "beta"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_are_case_insensitive() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let shown = read(&client, &id.to_uppercase()).await;
        assert_eq!(shown.data()["id"], id);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_or_malformed_id_is_an_unknown_contact() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        for other in [
            "01931e3a-7c00-7000-8000-000000000000",
            "x",
            "1",
            "%00",
            "%ff",
            "%20",
            "null",
            "%F0%9F%8E%82",
            &id.replace('-', ""),
            &format!("{{{id}}}"),
            &format!("urn:uuid:{id}"),
            &format!("{id}x"),
            &"9".repeat(2000),
        ] {
            let answer = client.get(&format!("/contacts/{other}")).await;
            let _ = answer.expect_error(404, "CONTACT_NOT_FOUND");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_a_malformed_and_a_deleted_contact_are_404_for_every_call() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let id = created(&client, &person("ann@example.com")).await;
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let body = json!({"field_values": {"team": "red"}});
        for id in [&id, "01931e3a-7c00-7000-8000-000000000000", "x", "%00", "bulk"] {
            let path = format!("/contacts/{id}");
            let values = format!("{path}/field-values");
            let mut answers = vec![client.get(&values).await, client.put(&values, &body).await];
            if id != "bulk" {
                answers.extend([client.get(&path).await, client.delete(&path).await]);
            }
            for answer in answers {
                let _ = answer.expect_error(404, "CONTACT_NOT_FOUND");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_is_ignored() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let _ = client.get(&format!("/contacts/{id}?page[size]=0&x=%zz")).await.expect(200);
    })
    .await;
}
