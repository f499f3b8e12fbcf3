//! Which actions leave an entry, and what an entry contains.

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::sample::{actions, audit};
use crate::support::{created, is_timestamp, person};
use crate::sync::sample::setting;

fn id(answer: &Answer) -> String {
    answer.data()["id"].as_str().expect("an id").to_owned()
}

#[expect(clippy::too_many_lines, reason = "one story")]
#[tokio::test(flavor = "multi_thread")]
async fn entries_show_settings_before_and_after_the_change() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let before = audit(&client, "").await.len();
        let user = json!({"email": "ann@acme.example", "permissions": ["contacts_api"]});
        let user = id(&client.post("/users", &user).await.expect(201));
        let path = format!("/users/{user}");
        let more = json!({"permissions": ["contacts_api", "publish"]});
        let request = client.request(Method::PATCH, &path).header("X-Request-Id", "call-7");
        let _ = Answer::of(request.json(&more)).await.expect(200);
        let _ = client.patch(&path, &more).await.expect(200);
        let _ = client.patch(&path, &json!({"permissions": ["all"]})).await.expect(422);
        let key =
            client.post(&format!("{path}/api-keys"), &json!({"name": "CI"})).await.expect(201);
        let token = key.data()["token"].as_str().expect("a token").to_owned();
        for _again in 0..2 {
            let _ = client.delete(&format!("{path}/api-keys/{}", id(&key))).await.expect(204);
        }
        let _ = client.patch("/company", &json!({"name": "Acme & Co"})).await.expect(200);
        let _ = client.delete(&path).await.expect(204);
        let answer = client.get("/audit?page[size]=6").await.expect(200);
        assert!(!answer.text.contains(&token));
        let entries = answer.data().as_array().expect("a list");
        let shown: Vec<_> = entries.iter().map(|it| it["action"].as_str().expect("text")).collect();
        assert_eq!(
            shown,
            [
                "user.deleted",
                "company.updated",
                "api_key.revoked",
                "api_key.created",
                "user.updated",
                "user.created",
            ]
        );
        assert_eq!(audit(&client, "page[size]=100").await.len(), before + 6);
        let changed = &entries[4];
        assert_eq!(changed["object"], user);
        assert_eq!(changed["old"], json!({"permissions": ["contacts_api"]}));
        assert_eq!(changed["new"], json!({"permissions": ["contacts_api", "publish"]}));
        assert_eq!((&changed["counts"], &changed["request_id"]), (&Value::Null, &json!("call-7")));
        assert!(is_timestamp(&changed["at"]));
        let actor = json!({
            "user": client.made.user.to_string(),
            "key": client.made.key.to_string(),
            "address": "127.0.0.1",
        });
        assert_eq!(changed["actor"], actor);
        assert_eq!(changed.as_object().expect("an object").len(), 9);
        assert_eq!(entries[5]["new"]["email"], "ann@acme.example");
        assert_eq!(entries[1]["new"], json!({"name": "Acme & Co"}));
        assert_eq!(entries[0]["old"]["email"], "ann@acme.example");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bulk_call_leaves_one_entry_with_counts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.field("Size", "number").await;
        let id = created(&client, &person("ann@example.com")).await;
        let rows = json!({"contacts": [person("ann@example.com"), person("max@example.com"), {}]});
        let _ = client.post("/contacts/bulk", &rows).await.expect(200);
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let max = client.get("/contacts").await.expect(200).data()[0]["id"].clone();
        let ids = json!({"ids": [id, max]});
        let _ = client.delete_with("/contacts/bulk", &ids).await.expect(200);
        let entries = audit(&client, "page[size]=4").await;
        let shown: Vec<_> = entries.iter().map(|it| (&it["action"], &it["counts"])).collect();
        let expected = [
            (json!("contacts.deleted"), json!({"deleted": 1})),
            (json!("contact.deleted"), Value::Null),
            (json!("contacts.upserted"), json!({"created": 1, "updated": 1, "failed": 1})),
            (json!("field.created"), Value::Null),
        ];
        assert_eq!(shown, expected.iter().map(|(one, other)| (one, other)).collect::<Vec<_>>());
        assert_eq!((&entries[1]["object"], &entries[0]["object"]), (&json!(id), &Value::Null));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bulk_call_that_writes_nothing_leaves_an_entry_too() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows = json!({"contacts": [{}, {"email": "?"}]});
        let _ = client.post("/contacts/bulk?dry_run=true", &rows).await.expect(200);
        let _ = client.post("/contacts/bulk", &rows).await.expect(200);
        for ids in [json!({"ids": [Uuid::nil()]}), json!({"ids": ["?"]})] {
            let _ = client.delete_with("/contacts/bulk", &ids).await.expect(200);
        }
        let entries = audit(&client, "filter[action]=contacts.upserted").await;
        let counts: Vec<_> = entries.iter().map(|it| &it["counts"]).collect();
        assert_eq!(counts, [&json!({"created": 0, "updated": 0, "failed": 2})]);
        let entries = audit(&client, "filter[action]=contacts.deleted").await;
        let counts: Vec<_> = entries.iter().map(|it| &it["counts"]).collect();
        assert_eq!(counts, [&json!({"deleted": 0}), &json!({"deleted": 0})]);
    })
    .await;
}

async fn webhook(client: &Client) -> String {
    let body =
        json!({"name": "Hook", "url": "https://receiver.example/", "events": ["syncRequested"]});
    id(&client.post("/webhooks", &body).await.expect(201))
}

async fn changes_of_a_mapping_are_shown(client: &Client, platform: &str) {
    let mapping = json!({"merge_tag_mapping": {"email": "[mail]"}});
    let _ = client.patch(platform, &mapping).await.expect(200);
    let changed = &audit(client, "filter[action]=integration.updated").await[0];
    assert_eq!((&changed["old"], &changed["new"]), (&json!({"merge_tag_mapping": {}}), &mapping));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_action_of_administrators_leaves_an_entry() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let client = setting.client.manage();
        let hook = webhook(&client).await;
        let path = format!("/webhooks/{hook}");
        let _ = client.patch(&path, &json!({"enabled": false})).await.expect(200);
        let _ = client.trigger(&format!("{path}/rotate-secret")).await.expect(200);
        let _ = client.delete(&path).await.expect(204);
        let asset = format!("/assets/{}", setting.asset);
        let _ = client.patch(&asset, &json!({"name": "Other"})).await.expect(200);
        let platform = format!("/integrations/{}", setting.integration);
        let _ = client.patch(&platform, &json!({"name": "Other"})).await.expect(200);
        changes_of_a_mapping_are_shown(&client, &platform).await;
        let _ = client.delete(&platform).await.expect(204);
        let _ = client.delete(&asset).await.expect(204);
        let done = actions(&client).await;
        for action in [
            "webhook.created",
            "webhook.updated",
            "webhook.secret_rotated",
            "webhook.deleted",
            "asset.created",
            "asset.updated",
            "asset.deleted",
            "integration.created",
            "integration.updated",
            "integration.deleted",
        ] {
            assert!(done.iter().any(|it| it == action), "{action} in {done:?}");
        }
        for (action, name) in [("webhook.deleted", "Hook"), ("integration.deleted", "Other")] {
            let deleted = &audit(&client, &format!("filter[action]={action}")).await[0];
            assert_eq!((&deleted["old"]["name"], &deleted["new"]), (&json!(name), &Value::Null));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_erasures_leave_an_entry() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let [ann, max] = ["ann@example.com", "max@example.com"].map(person);
        let (ann, max) = (created(&client, &ann).await, created(&client, &max).await);
        let _ = client.get("/contacts/export").await.expect(200);
        let erase = format!("/contacts/{ann}/erase");
        let _ = manage.post(&erase, &json!({"block": true})).await.expect(204);
        let unblock = json!({"email": "ann@example.com"});
        let _ = manage.post("/erasures/unblock", &unblock).await.expect(204);
        let _ = client.delete(&format!("/contacts/{max}")).await.expect(204);
        let done = actions(&client).await;
        let expected =
            ["contacts.exported", "contact.erased", "email.unblocked", "contact.deleted"];
        assert!(done.ends_with(&expected.map(str::to_owned)), "{done:?}");
        let known = manage.get(&format!("/contacts/{max}/everything")).await.expect(200);
        let audit = known.data()["audit"].as_array().expect("a list");
        let shown: Vec<_> = audit.iter().map(|it| &it["action"]).collect();
        assert_eq!(shown, ["contact.deleted", "contact.exported"]);
        assert_eq!((&audit[1]["object"], &audit[1]["new"]), (&json!(max), &Value::Null));
        assert!(!known.data()["audit"].to_string().contains("max@example.com"));
        let unknown = format!("/contacts/{ann}/everything");
        manage.get(&unknown).await.expect_error(404, "CONTACT_NOT_FOUND");
        assert_eq!(self::audit(&client, "filter[action]=contact.exported").await.len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_secret_and_of_settings_leaves_an_entry_of_each() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let hook = webhook(&client).await;
        let path = format!("/webhooks/{hook}");
        let secret = "correct horse battery staple";
        let both = json!({"secret": secret, "name": "Other"});
        let _ = client.patch(&path, &both).await.expect(200);
        let entries = audit(&client, &format!("filter[object]={hook}")).await;
        let shown: Vec<_> = entries.iter().map(|it| &it["action"]).collect();
        assert_eq!(shown, ["webhook.updated", "webhook.secret_rotated", "webhook.created"]);
        let settings = |place: usize| (&entries[place]["old"], &entries[place]["new"]);
        assert_eq!(settings(0), (&json!({"name": "Hook"}), &json!({"name": "Other"})));
        assert_eq!(settings(1), (&Value::Null, &Value::Null));
        assert!(!json!(entries).to_string().contains(secret));
        let _ = client.patch(&path, &json!({"secret": secret, "name": "Other"})).await.expect(200);
        let entries = audit(&client, &format!("filter[object]={hook}")).await;
        assert_eq!((entries.len(), &entries[0]["action"]), (4, &json!("webhook.secret_rotated")));
    })
    .await;
}
