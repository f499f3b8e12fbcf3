//! `POST /contacts/bulk?dry_run=true`: the exact outcome, and nothing written.

use contact_hub_tests::{CompanyOptions, with_hub, with_idle_hub};
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values, statements_of};

/// Rows that create, update, restore and fail.
fn rows() -> Value {
    json!({"contacts": [
        person_with_values("new@example.com", &json!({"team": "red"})),
        person_with_values("NEW@example.com", &json!({"team": "blue"})),
        {"email": "ann@example.com", "first_name": "Anna", "last_name": "Lee"},
        person("gone@example.com"),
        person("gone@example.com"),
        person("a@other.example"),
        person_with_values("b@example.com", &json!({"team": 5})),
        null,
    ]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_returns_the_outcome_of_a_real_run_and_writes_nothing() {
    with_hub(async |hub| {
        let options =
            CompanyOptions { allowed_domains: vec!["example.com"], ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        let field = json!({"name": "Team", "type": "string"});
        let field = client.post("/fields", &field).await.expect(201).data()["id"].clone();
        let ann = created(&client, &person("ann@example.com")).await;
        let gone = created(&client, &person("gone@example.com")).await;
        let _deleted = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let rows = rows();
        let state = async || {
            let list = client.get("/contacts?include=field_values").await.expect(200);
            let values = format!("/fields/{}/values", field.as_str().expect("an id"));
            (list.json, client.get(&values).await.expect(200).json)
        };
        let before = state().await;
        let dry = client.post("/contacts/bulk?dry_run=true", &rows).await.expect(200).json;
        client
            .post("/contacts/bulk?dry_run=true&dry_run=false", &rows)
            .await
            .expect_invalid(&["dry_run"]);
        assert_eq!(state().await, before);
        client.get(&format!("/contacts/{gone}")).await.expect_error(404, "CONTACT_NOT_FOUND");
        let real = client.post("/contacts/bulk?dry_run=false", &rows).await.expect(200);
        assert_eq!(dry, real.json);
        let [created, updated, failed] =
            ["created", "updated", "failed"].map(|count| dry["data"][count].clone());
        assert_eq!([created, updated, failed], [2, 3, 3]);
        assert_eq!(
            client.get(&format!("/contacts/{ann}")).await.expect(200).data()["first_name"],
            "Anna"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_refuses_what_a_real_run_refuses() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows = json!({"contacts": [person("ann@example.com")]});
        for query in
            ["dry_run=", "dry_run", "dry_run=1", "dry_run=TRUE", "dry_run=yes", "dry_run[]=true"]
        {
            let path = format!("/contacts/bulk?{query}");
            client.post(&path, &rows).await.expect_invalid(&["dry_run"]);
        }
        let dry = "/contacts/bulk?dry_run=true";
        client.post(dry, &json!({})).await.expect_invalid(&["contacts"]);
        client.post(dry, &json!({"contacts": vec![0; 1001]})).await.expect_invalid(&["contacts"]);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_takes_one_statement() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let rows: Vec<Value> = (0..50).map(|n| person(&format!("p{n}@example.com"))).collect();
        let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let call = async || {
            let body = json!({"contacts": rows});
            let _outcome = client.post("/contacts/bulk?dry_run=true", &body).await.expect(200);
        };
        assert_eq!(statements_of(hub, call).await, 1);
    })
    .await;
}
