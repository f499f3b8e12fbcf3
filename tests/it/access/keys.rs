//! API keys are created, listed, read and revoked.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

use super::users::{ID, signed, stored};
use crate::support::{is_timestamp, until};

const MEMBERS: [&str; 7] =
    ["id", "name", "start", "expires_at", "last_used_at", "revoked_at", "created_at"];

async fn keys_of_new_user(client: &Client) -> String {
    format!("{}/api-keys", stored(client, "ann@example.com", &["manage_access"]).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_shown_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let keys = keys_of_new_user(&client).await;
        let body = json!({"name": " Importer ", "expires_at": "2999-01-01T01:00:00+01:00"});
        let created = client.post(&keys, &body).await.expect(201);
        let token = created.data()["token"].as_str().expect("a token");
        assert!(token.starts_with(created.data()["start"].as_str().expect("a start")));
        let path = format!("{keys}/{}", created.data()["id"].as_str().expect("an id"));
        assert_eq!(created.header("Location"), client.url(&path));
        let read = client.get(&path).await.expect(200);
        let members: Vec<&String> = read.data().as_object().expect("an object").keys().collect();
        assert_eq!(members, MEMBERS);
        for name in MEMBERS {
            assert_eq!(created.data()[name], read.data()[name], "{name}");
        }
        assert_eq!(read.data()["name"], "Importer");
        assert_eq!(read.data()["expires_at"], "2999-01-01T00:00:00+00:00");
        assert!(is_timestamp(&read.data()["created_at"]));
        let null = (&Value::Null, &Value::Null);
        assert_eq!((&read.data()["last_used_at"], &read.data()["revoked_at"]), null);
        let list = client.get(&keys).await.expect(200);
        assert_eq!(list.data(), &json!([read.data()]));
        for answer in [read, list] {
            assert!(!answer.text.contains(token));
        }
        let bare = client.trigger(&keys).await.expect(201);
        assert_eq!(
            (&bare.data()["name"], &bare.data()["expires_at"]),
            (&json!("API key"), &Value::Null)
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_members_are_named() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let keys = keys_of_new_user(&client).await;
        for (body, fields) in [
            (json!({"name": 7, "expires_at": "soon"}), &["name", "expires_at"][..]),
            (json!({"name": "x".repeat(256)}), &["name"]),
            (json!({"expires_at": "2020-01-01T00:00:00Z"}), &["expires_at"]),
        ] {
            client.post(&keys, &body).await.expect_invalid(fields);
        }
        client.get(&format!("{keys}?page[size]=101")).await.expect_invalid(&["page.size"]);
        assert_eq!(client.get(&keys).await.expect(200).json["meta"]["total"], 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_until_it_is_revoked_or_expires() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let user = stored(&client, "ann@example.com", &["manage_access"]).await;
        let keys = format!("{user}/api-keys");
        let ann = signed(&client, &user).await;
        let _works = ann.get("/users").await.expect(200);
        let list = client.get(&keys).await.expect(200);
        let path = format!("{keys}/{}", list.data()[0]["id"].as_str().expect("an id"));
        let _revoked = client.delete(&path).await.expect(204);
        ann.get("/users").await.expect_error(401, "UNAUTHENTICATED");
        let first = client.get(&path).await.expect(200);
        assert!(is_timestamp(&first.data()["revoked_at"]));
        hub.clock.advance(60);
        let _again = client.delete(&path).await.expect(204);
        let again = client.get(&path).await.expect(200);
        assert_eq!(again.data()["revoked_at"], first.data()["revoked_at"]);
        let body = json!({"expires_at": "2998-01-01T00:00:00Z"});
        let _key = client.post(&keys, &body).await.expect(201);
        let list = client.get(&format!("{keys}?page[size]=1&page[number]=2")).await.expect(200);
        assert_eq!(
            (&list.json["meta"]["total"], list.data()[0]["expires_at"].is_string()),
            (&json!(2), true)
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_the_last_use_is_shown() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = format!("/users/{}/api-keys/{}", client.made.user, client.made.key);
        until(std::time::Duration::from_secs(10), async || {
            let key = client.get(&path).await.expect(200);
            is_timestamp(&key.data()["last_used_at"])
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_users_and_unknown_or_foreign_keys_are_distinguished() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await.manage(), hub.client().await.manage());
        let (own_keys, their_keys) =
            (keys_of_new_user(&ours).await, keys_of_new_user(&theirs).await);
        let created = theirs.post(&their_keys, &json!({})).await.expect(201);
        let id = created.data()["id"].as_str().expect("an id");
        for keys in
            [their_keys.clone(), format!("/users/{ID}/api-keys"), "/users/x/api-keys".into()]
        {
            for answer in [
                ours.get(&keys).await,
                ours.post(&keys, &json!({})).await,
                ours.get(&format!("{keys}/{id}")).await,
                ours.delete(&format!("{keys}/{id}")).await,
            ] {
                answer.expect_error(404, "USER_NOT_FOUND");
            }
        }
        for key in [id, ID, "x"] {
            let path = format!("{own_keys}/{key}");
            ours.get(&path).await.expect_error(404, "API_KEY_NOT_FOUND");
            ours.delete(&path).await.expect_error(404, "API_KEY_NOT_FOUND");
        }
        // A key of another user of the same company does not belong to this user.
        let foreign = format!("{own_keys}/{}", ours.made.key);
        ours.delete(&foreign).await.expect_error(404, "API_KEY_NOT_FOUND");
        let mut still = theirs.clone();
        still.made.token = created.data()["token"].as_str().expect("a token").to_owned();
        let _works = still.get("/users").await.expect(200);
    })
    .await;
}
