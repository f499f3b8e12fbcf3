//! `PATCH /fields/{id}`, and archived fields.

use contact_hub_tests::{Client, with_hub, with_idle_hub, with_settings};
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values};

/// A new field; its id.
async fn field(client: &Client, name: &str, kind: &str) -> String {
    let made = client.post("/fields", &json!({"name": name, "type": kind})).await.expect(201);
    made.data()["id"].as_str().expect("an id").to_owned()
}

async fn change(client: &Client, id: &str, body: Value) -> Value {
    client.patch(&format!("/fields/{id}"), &body).await.expect(200).data().clone()
}

async fn keys(client: &Client, query: &str) -> Vec<String> {
    let listed = client.get(&format!("/fields{query}")).await.expect(200);
    let keys = listed.data().as_array().expect("fields").iter();
    keys.map(|field| field["key"].as_str().expect("a key").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_changes_and_the_key_does_not() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = field(&client, "Job Title", "string").await;
        let values = json!({"jobTitle": "Chief"});
        let contact = created(&client, &person_with_values("ann@example.com", &values)).await;
        let changed =
            change(&client, &id, json!({"name": " Position ", "key": "x", "type": "date"})).await;
        assert_eq!((&changed["name"], &changed["key"]), (&json!("Position"), &json!("jobTitle")));
        assert_eq!((&changed["type"], &changed["id"]), (&json!("string"), &json!(id)));
        let listed = client.get("/fields").await.expect(200);
        assert_eq!(listed.json, json!({"data": [changed]}));
        let detail = client.get(&format!("/contacts/{contact}")).await.expect(200);
        assert_eq!(detail.data()["field_values"][0]["name"], "Position");
        let same = change(&client, &id, json!({})).await;
        assert_eq!(same, changed);
        let taken = json!({"name": "Job title", "type": "string"});
        let _ = client.post("/fields", &taken).await.expect_error(409, "FIELD_ALREADY_EXISTS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_change_names_its_members_and_an_unknown_field_is_404() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = field(&client, "Team", "string").await;
        let path = format!("/fields/{id}");
        for (body, paths) in [
            (json!({"name": "", "archived": "yes"}), &["archived", "name"][..]),
            (json!({"name": null, "archived": null}), &["archived", "name"]),
            (json!({"name": "x".repeat(256)}), &["name"]),
            (json!({"archived": 1}), &["archived"]),
        ] {
            client.patch(&path, &body).await.expect_invalid(paths);
        }
        let theirs = hub.client().await;
        for (client, path) in [(&theirs, path.as_str()), (&client, "/fields/none")] {
            let answer = client.patch(path, &json!({"name": "X"})).await;
            let _ = answer.expect_error(404, "FIELD_NOT_FOUND");
        }
        assert_eq!(client.get("/fields").await.expect(200).data()[0]["name"], "Team");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_field_keeps_its_values_and_accepts_no_new_ones() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = field(&client, "Team", "string").await;
        field(&client, "Age", "number").await;
        let values = json!({"team": "red", "age": 5});
        let contact = created(&client, &person_with_values("ann@example.com", &values)).await;
        assert_eq!(change(&client, &id, json!({"archived": true})).await["archived"], true);
        assert_eq!(keys(&client, "").await, ["age"]);
        assert_eq!(keys(&client, "?archived=false").await, ["age"]);
        assert_eq!(keys(&client, "?archived=true").await, ["team", "age"]);
        client.get("/fields?archived=1").await.expect_invalid(&["archived"]);

        let of_contact = format!("/contacts/{contact}/field-values");
        let new = json!({"team": "blue"});
        let refused = client.put(&of_contact, &json!({"field_values": new})).await;
        refused.expect_invalid(&["field_values.team"]);
        let refused = client.post("/contacts", &person_with_values("bob@example.com", &new)).await;
        refused.expect_invalid(&["field_values.team"]);
        let rows = json!({"contacts": [person_with_values("ann@example.com", &new), person("c@example.com")]});
        let bulk = client.post("/contacts/bulk", &rows).await.expect(200);
        assert_eq!((&bulk.data()["created"], &bulk.data()["failed"]), (&json!(1), &json!(1)));
        assert!(bulk.data()["errors"][0]["details"]["field_values.team"].is_array());

        let put = json!({"field_values": {"age": 6}});
        let kept = client.put(&of_contact, &put).await.expect(200);
        assert_eq!((&kept.data()[0]["value"], &kept.data()[1]["value"]), (&json!("red"), &json!(6)));
        assert_eq!(client.get(&of_contact).await.expect(200).data(), kept.data());
        let used = client.get(&format!("/fields/{id}/values")).await.expect(200);
        assert_eq!(used.data(), &json!(["red"]));

        let cleared = json!({"field_values": {"team": null, "age": 6}});
        let cleared = client.put(&of_contact, &cleared).await.expect(200);
        assert_eq!(cleared.data().as_array().map(Vec::len), Some(1));

        change(&client, &id, json!({"archived": false})).await;
        let put = json!({"field_values": {"team": "blue"}});
        let set = client.put(&of_contact, &put).await.expect(200);
        assert_eq!(set.data()[0]["value"], "blue");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_field_does_not_count_towards_the_limit_and_its_key_stays_taken() {
    let two = |settings: &mut contact_hub::settings::ServeSettings| settings.limits.max_fields = 2;
    with_settings(two, async |hub| {
        let client = hub.client().await;
        let first = field(&client, "One", "string").await;
        field(&client, "Two", "string").await;
        let three = json!({"name": "Three", "type": "string"});
        client.post("/fields", &three).await.expect_invalid(&["name"]);
        change(&client, &first, json!({"archived": true})).await;
        let again = json!({"name": "One", "type": "string"});
        let _ = client.post("/fields", &again).await.expect_error(409, "FIELD_ALREADY_EXISTS");
        let _ = client.post("/fields", &three).await.expect(201);
        let back = json!({"archived": false});
        client.patch(&format!("/fields/{first}"), &back).await.expect_invalid(&["archived"]);
        assert_eq!(
            change(&client, &first, json!({"archived": true, "name": "Uno"})).await["name"],
            "Uno"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_takes_six_statements() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let id = field(&client, "Team", "string").await;
        let mut archived = false;
        let changed = async || {
            archived = !archived;
            drop(change(&client, &id, json!({"archived": archived})).await);
        };
        // BEGIN, the company's lock, the fields, the field, the entries of the feed and the audit, COMMIT. SQLite takes
        // two statements for the entries, and a cluster one more for the commit in two phases.
        let is_one_postgres = hub.database.is_postgres() && hub.database.cluster().is_none();
        let most = if is_one_postgres { 6 } else { 7 };
        assert_eq!(crate::support::statements_of(hub, changed).await, most);
    })
    .await;
}
