//! `POST /contacts/bulk`: the outcome is that of processing the rows one by one, in their order.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person_with_values, read};

fn row(email: &str, first: &str, more: &Value) -> Value {
    let mut row = json!({"email": email, "first_name": first, "last_name": "Lee"});
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    row
}

async fn bulk(client: &Client, rows: &[Value]) -> Value {
    let answer = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
    let mut members: Vec<&String> = answer.data().as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["created", "errors", "failed", "updated"]);
    answer.data().clone()
}

/// First name, avatar and values by key.
async fn shown(client: &Client, id: &str) -> Value {
    let contact = read(client, id).await.data().clone();
    let entries = contact["field_values"].as_array().unwrap().clone();
    let values =
        entries.iter().map(|it| (it["key"].as_str().unwrap().to_owned(), it["value"].clone()));
    json!([
        contact["email"],
        contact["first_name"],
        contact["avatar_url"],
        Value::Object(values.collect())
    ])
}

async fn client_with_fields(hub: &contact_hub_tests::TestHub) -> Client {
    let client = hub.client().await;
    client.field("Team", "string").await;
    client.field("Age", "number").await;
    client
}

async fn only_id(client: &Client) -> String {
    let list = client.get("/contacts").await.expect(200);
    assert_eq!(list.json["meta"]["total"], 1);
    list.data()[0]["id"].as_str().unwrap().to_owned()
}

const AVATAR: &str = "https://pictures.example/1";

#[tokio::test(flavor = "multi_thread")]
async fn a_later_row_updates_what_an_earlier_one_wrote() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let first = json!({"avatar_url": AVATAR, "field_values": {"team": "red", "age": 1}});
        let outcome = bulk(
            &client,
            &[
                row("Ann@x.example", "One", &first),
                row("ann@X.EXAMPLE", "Two", &json!({"field_values": {"age": null}})),
                row(" ANN@x.example ", "Three", &json!({"field_values": {"team": "blue"}})),
            ],
        )
        .await;
        assert_eq!(outcome, json!({"created": 1, "updated": 2, "failed": 0, "errors": []}));
        let id = only_id(&client).await;
        let expected = json!(["Ann@x.example", "Three", AVATAR, {"team": "blue"}]);
        assert_eq!(shown(&client, &id).await, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_row_of_a_deleted_email_restores_and_the_next_one_updates() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let mut body = person_with_values("ann@x.example", &json!({"team": "red", "age": 1}));
        body["avatar_url"] = json!(AVATAR);
        let id = created(&client, &body).await;
        let before = read(&client, &id).await.data()["created_at"].clone();
        let _deleted = client.delete(&format!("/contacts/{id}")).await.expect(204);
        hub.clock.advance(10);
        let outcome = bulk(
            &client,
            &[
                row("ANN@x.example", "One", &json!({"field_values": {"age": null}})),
                row("ann@x.example", "Two", &json!({"field_values": {"team": null}})),
            ],
        )
        .await;
        assert_eq!(outcome, json!({"created": 1, "updated": 1, "failed": 0, "errors": []}));
        assert_eq!(only_id(&client).await, id);
        // A null value is treated as absent if the row creates a contact, and clears the value if it updates one.
        assert_eq!(shown(&client, &id).await, json!(["ANN@x.example", "Two", null, {"age": 1}]));
        assert_eq!(read(&client, &id).await.data()["created_at"], before);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_row_does_not_affect_other_rows_with_the_same_email() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let outcome = bulk(
            &client,
            &[
                row("ann@x.example", "", &json!({})),
                row("ann@x.example", "Two", &json!({"field_values": {"age": "1", "team": "red"}})),
                row("ann@x.example", "Three", &json!({"avatar_url": AVATAR})),
                row(" ann@x.example", "Four", &json!({"avatar_url": 5})),
            ],
        )
        .await;
        assert_eq!(
            (&outcome["created"], &outcome["updated"], &outcome["failed"]),
            (&json!(1), &json!(0), &json!(3))
        );
        let errors: Vec<Value> = outcome["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| {
                let keys: Vec<&String> = error["details"].as_object().unwrap().keys().collect();
                assert_eq!(error.as_object().unwrap().len(), 3);
                assert!(error["details"].as_object().unwrap().values().all(|it| it[0].is_string()));
                json!([error["index"], error["email"], keys])
            })
            .collect();
        assert_eq!(
            errors,
            [
                json!([0, "ann@x.example", ["first_name"]]),
                json!([1, "ann@x.example", ["field_values.age"]]),
                json!([3, " ann@x.example", ["avatar_url"]]),
            ]
        );
        let id = only_id(&client).await;
        assert_eq!(shown(&client, &id).await, json!(["ann@x.example", "Three", AVATAR, {}]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_has_the_submitted_email_when_it_is_a_string() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let body = r#"{"contacts": [null, [], "ann@x.example", {}, {"email": null}, {"email": 5},
            {"email": " Nobody "}, {"email": ""}, {"email": "a\ud800@x.example"}, {"email": ["a@x.example"]},
            {"email": "a@x.example", "email": 7}]}"#;
        let outcome = client.post_text("/contacts/bulk", body).await.expect(200);
        let shown: Vec<(Value, bool)> = outcome.data()["errors"].as_array().unwrap().iter()
            .map(|error| (error["email"].clone(), error["details"].get("contact").is_some()))
            .collect();
        let null = Value::Null;
        assert_eq!(shown, [
            (null.clone(), true), (null.clone(), true), (null.clone(), true), (null.clone(), false),
            (null.clone(), false), (null.clone(), false), (json!(" Nobody "), false), (json!(""), false),
            (null.clone(), false), (null.clone(), false), (null, false),
        ]);
        let indices: Vec<&Value> = outcome.data()["errors"].as_array().unwrap().iter().map(|it| &it["index"]).collect();
        assert_eq!(indices, (0..11).collect::<Vec<_>>());
        let all = |error: &Value| error["details"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(all(&outcome.data()["errors"][3]), ["email", "first_name", "last_name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_rows_that_all_fail_are_all_reported() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let outcome = bulk(&client, &vec![json!({"email": "x"}); 1000]).await;
        assert_eq!((&outcome["created"], &outcome["failed"]), (&json!(0), &json!(1000)));
        assert_eq!(outcome["errors"].as_array().unwrap().len(), 1000);
        assert_eq!(outcome["errors"][999]["index"], 999);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
    })
    .await;
}
