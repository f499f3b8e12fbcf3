//! Which changes have an entry, and what an entry contains.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Answer, CompanyOptions, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::{changes, types_and_changed};
use crate::support::{created, is_timestamp, person, person_with_values};
use crate::sync::sample::{completed, failed, setting};

fn entry(kind: &str, changed: &[&str]) -> (String, Vec<String>) {
    let mut changed: Vec<_> = changed.iter().map(|&it| it.to_owned()).collect();
    changed.sort_unstable();
    (kind.to_owned(), changed)
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_change_of_a_contact_has_an_entry() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let key = client.field("Size", "number").await;
        let id = created(&client, &person_with_values("ann@example.com", &json!({&*key: 1}))).await;
        let path = format!("/contacts/{id}");
        let values = |size: Value| json!({"field_values": {&*key: size}});
        let bulk = json!({"contacts": [
            {"email": "Ann@example.com", "first_name": "Anna", "last_name": "Lee",
             "avatar_url": "https://example.com/a.png"},
            person("max@example.com"),
        ]});
        let _ = client.post("/contacts/bulk", &bulk).await.expect(200);
        let _ = client.post("/contacts/bulk", &bulk).await.expect(200);
        let _ = client.put(&format!("{path}/field-values"), &values(json!(2))).await.expect(200);
        let _ = client.put(&format!("{path}/field-values"), &values(json!(2.0))).await.expect(200);
        let _ = client.put(&format!("{path}/field-values"), &values(Value::Null)).await.expect(200);
        let _ = client.delete(&path).await.expect(204);
        let _ = client.delete(&path).await.expect(404);
        assert_eq!(created(&client, &person("ann@example.com")).await, id);
        let _ = client.delete_with("/contacts/bulk", &json!({"ids": [id, "x"]})).await.expect(200);
        let _ = client.post("/contacts", &json!({})).await.expect(422);
        let (entries, _) = changes(&client, "").await;
        let size = format!("field:{key}");
        assert_eq!(
            types_and_changed(&entries),
            [
                entry("field.created", &["name", "type"]),
                entry("contact.created", &["email", "first_name", "last_name", &size]),
                entry("contact.updated", &["avatar_url", "first_name"]),
                entry("contact.created", &["email", "first_name", "last_name"]),
                entry("contact.updated", &[&size]),
                entry("contact.updated", &[&size]),
                entry("contact.deleted", &[]),
                entry("contact.restored", &["avatar_url", "first_name"]),
                entry("contact.deleted", &[]),
            ]
        );
        let of_ann = entries.iter().filter(|it| it["object_id"] == *id).count();
        assert_eq!(of_ann, 7);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_permission_for_contacts_is_required() {
    with_hub(async |hub| {
        let others = Permission::ALL.into_iter().filter(|it| *it != Permission::ContactsApi);
        let options = CompanyOptions { permissions: others.collect(), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await.manage();
        client.get("/changes").await.expect_error(403, "ACCESS_DENIED");
        let request = hub.http().get(client.url("/changes"));
        Answer::of(request).await.expect_error(401, "UNAUTHENTICATED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_has_its_author_time_and_call_and_no_values() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let request = client.request(Method::POST, "/contacts").header("X-Request-Id", "call-7");
        let _ = Answer::of(request.json(&person("ann@example.com"))).await.expect(201);
        let _ = created(&client, &person("max@example.com")).await;
        let answer = client.manage().get("/changes").await.expect(200);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let first = &answer.data()[0];
        assert_eq!(first.as_object().expect("an object").len(), 7);
        assert_eq!(first["actor"], client.made.user.to_string());
        assert_eq!(first["request_id"], "call-7");
        assert!(is_timestamp(&first["at"]));
        assert_ne!(first["id"], answer.data()[1]["id"]);
        assert!(answer.data()[1]["request_id"].is_string());
        assert!(!answer.text.contains("example.com"), "{}", answer.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_sync_has_an_entry_for_its_request_and_its_end() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let first = setting.requested().await;
        let second = setting.requested().await;
        let _ = setting.report(&completed("7")).await.expect(200);
        let _ = setting.report(&completed("7")).await.expect(200);
        let third = setting.requested().await;
        let _ = setting.report(&failed("no")).await.expect(200);
        let (entries, _) = changes(&setting.client, "").await;
        let of: Vec<_> = entries.iter().map(|it| (&it["type"], &it["object_id"])).collect();
        let expected = [
            ("sync.requested", &first),
            ("sync.failed", &first),
            ("sync.requested", &second),
            ("sync.completed", &second),
            ("sync.requested", &third),
            ("sync.failed", &third),
        ];
        let closed = entries.iter().filter(|it| it["type"] == "sync.failed");
        for entry in closed {
            assert_eq!(entry["changed"], json!(["status", "error_message"]), "{entry}");
        }
        let expected = expected.map(|(kind, sync)| (json!(kind), json!(sync)));
        assert_eq!(of, expected.iter().map(|(kind, sync)| (kind, sync)).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_entry_of_a_field_change_names_the_changed_members() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({"name": "Size", "type": "number", "filterable": true});
        let made = client.post("/fields", &body).await.expect(201);
        let path = format!("/fields/{}", made.data()["id"].as_str().expect("an id"));
        for change in [
            json!({"name": "Width", "archived": true}),
            json!({"name": "Width", "archived": true, "filterable": true}),
            json!({"filterable": false, "archived": false}),
            json!({}),
        ] {
            let _ = client.patch(&path, &change).await.expect(200);
        }
        let (entries, _) = changes(&client, "").await;
        assert_eq!(
            types_and_changed(&entries),
            [
                entry("field.created", &["name", "type", "filterable"]),
                entry("field.updated", &["name", "archived"]),
                entry("field.updated", &["filterable", "archived"]),
            ]
        );
    })
    .await;
}
