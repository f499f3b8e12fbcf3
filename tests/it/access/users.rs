//! Users are created, listed, read, changed and deleted.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Answer, Client, TestHub, with_hub};
use serde_json::{Value, json};

use crate::support::is_timestamp;

pub(super) const ID: &str = "01931e3a-7c00-7000-8000-000000000000";

/// Creates a user and returns its path.
pub(super) async fn stored(client: &Client, email: &str, permissions: &[&str]) -> String {
    let body = json!({"email": email, "permissions": permissions});
    let answer = client.post("/users", &body).await.expect(201);
    format!("/users/{}", answer.data()["id"].as_str().expect("an id"))
}

/// A client with a new key of the user at this path.
pub(super) async fn signed(client: &Client, path: &str) -> Client {
    let answer = client.post(&format!("{path}/api-keys"), &json!({})).await.expect(201);
    let mut other = client.clone();
    answer.data()["token"].as_str().expect("a token").clone_into(&mut other.made.token);
    other
}

fn own(client: &Client) -> String {
    format!("/users/{}", client.made.user)
}

async fn contacts(hub: &TestHub, client: &Client) -> Answer {
    let url = format!("{}/api/public/v1/contacts", hub.base());
    Answer::of(hub.http().get(url).bearer_auth(&client.made.token)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_created_and_read() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let body = json!({"email": " Ann@Example.com ", "permissions": ["publish", "contacts_api", "publish"]});
        let answer = client.post("/users", &body).await.expect(201);
        let path = format!("/users/{}", answer.data()["id"].as_str().expect("an id"));
        assert_eq!(answer.header("Location"), client.url(&path));
        let read = client.get(&path).await.expect(200);
        assert_eq!(read.data(), answer.data());
        let members: Vec<&String> = read.data().as_object().expect("an object").keys().collect();
        assert_eq!(members, ["id", "email", "permissions", "created_at"]);
        assert_eq!(read.data()["email"], "Ann@Example.com");
        assert_eq!(read.data()["permissions"], json!(["contacts_api", "publish"]));
        assert!(is_timestamp(&read.data()["created_at"]));
        let bare = client.post("/users", &json!({"email": "bob@example.com"})).await.expect(201);
        assert_eq!(bare.data()["permissions"], json!([]));
        let null = json!({"email": "cy@example.com", "permissions": null});
        assert_eq!(client.post("/users", &null).await.expect(201).data()["permissions"], json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_invalid_member_is_named() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        client.post("/users", &json!({})).await.expect_invalid(&["email"]);
        let wrong = json!({"email": "ann", "permissions": ["all", "publish", 7, null]});
        let all = ["email", "permissions.0", "permissions.2", "permissions.3"];
        client.post("/users", &wrong).await.expect_invalid(&all);
        let wrong = json!({"email": 7, "permissions": "publish"});
        client.post("/users", &wrong).await.expect_invalid(&["email", "permissions"]);
        let path = stored(&client, "ann@example.com", &[]).await;
        let wrong = json!({"email": null, "permissions": null});
        client.patch(&path, &wrong).await.expect_invalid(&["email", "permissions"]);
        let wrong = json!({"permissions": ["all"]});
        client.patch(&path, &wrong).await.expect_invalid(&["permissions.0"]);
        client.post_text("/users", "[]").await.expect_invalid(&["body"]);
        client.get("/users?page[size]=0").await.expect_invalid(&["page.size"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_unique_in_a_company() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await.manage(), hub.client().await.manage());
        let _path = stored(&ours, "ann@exämple.de", &[]).await;
        let same = json!({"email": "ANN@xn--exmple-cua.de"});
        ours.post("/users", &same).await.expect_error(409, "USER_ALREADY_EXISTS");
        let _other = theirs.post("/users", &same).await.expect(201);
        let bob = stored(&ours, "bob@example.com", &[]).await;
        ours.patch(&bob, &same).await.expect_error(409, "USER_ALREADY_EXISTS");
        let own_case = json!({"email": "Bob@example.com"});
        let changed = ours.patch(&bob, &own_case).await.expect(200);
        assert_eq!(changed.data()["email"], "Bob@example.com");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_listed_page_by_page() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let mut paths = vec![own(&client)];
        for name in ["a", "b"] {
            paths.push(stored(&client, &format!("{name}@example.com"), &[]).await);
        }
        let list = client.get("/users?page[size]=2").await.expect(200);
        let all = client.get("/users").await.expect(200);
        let ids = all.data().as_array().expect("users").iter();
        let listed: Vec<String> =
            ids.map(|user| format!("/users/{}", user["id"].as_str().expect("an id"))).collect();
        assert_eq!(listed, paths);
        assert_eq!(list.data().as_array().map(Vec::len), Some(2));
        let meta = json!({"current_page": 1, "per_page": 2, "total": 3, "last_page": 2, "from": 1, "to": 2});
        assert_eq!(list.json["meta"], meta);
        let past = client.get("/users?page[number]=9").await.expect(200);
        assert_eq!((past.data(), &past.json["meta"]["from"]), (&json!([]), &json!(0)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_keeps_absent_members_and_takes_effect_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = stored(&client, "ann@example.com", &["contacts_api", "publish"]).await;
        let user = signed(&client, &path).await;
        let _allowed = contacts(hub, &user).await.expect(200);
        let fewer = json!({"permissions": ["publish"], "id": ID, "unknown": 1});
        let changed = client.patch(&path, &fewer).await.expect(200);
        assert_eq!(changed.data()["email"], "ann@example.com");
        assert_eq!(changed.data()["permissions"], json!(["publish"]));
        contacts(hub, &user).await.expect_error(403, "ACCESS_DENIED");
        let unchanged = client.patch(&path, &json!({})).await.expect(200);
        assert_eq!(unchanged.data(), changed.data());
        let renamed = client.patch(&path, &json!({"email": "b@example.com"})).await.expect(200);
        assert_eq!(renamed.data()["permissions"], json!(["publish"]));
        let more = json!({"permissions": ["contacts_api"]});
        let _changed = client.patch(&path, &more).await.expect(200);
        let _allowed = contacts(hub, &user).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_users_keys_stop_working_at_once() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let path = stored(&client, "ann@example.com", &["contacts_api"]).await;
        let user = signed(&client, &path).await;
        let _allowed = contacts(hub, &user).await.expect(200);
        let gone = client.delete(&path).await.expect(204);
        assert!(gone.text.is_empty());
        contacts(hub, &user).await.expect_error(401, "UNAUTHENTICATED");
        client.delete(&path).await.expect_error(404, "USER_NOT_FOUND");
        client.get(&path).await.expect_error(404, "USER_NOT_FOUND");
        client.patch(&path, &json!({"email": 7})).await.expect_error(404, "USER_NOT_FOUND");
        let again = json!({"email": "ann@example.com"});
        let _created = client.post("/users", &again).await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_cannot_lock_the_company_out() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let own = own(&client);
        client.delete(&own).await.expect_error(409, "OWN_ACCESS");
        for permissions in [json!([]), json!(["contacts_api"])] {
            let body = json!({"permissions": permissions, "email": "new@example.com"});
            client.patch(&own, &body).await.expect_error(409, "OWN_ACCESS");
        }
        let own_data = client.get(&own).await.expect(200);
        assert_eq!(own_data.data()["email"], "api@acme.example");
        let fewer = json!({"permissions": ["manage_access"]});
        let _changed = client.patch(&own, &fewer).await.expect(200);
        let back = json!({"permissions": Permission::ALL.map(Permission::as_str)});
        let _changed = client.patch(&own, &back).await.expect(200);
        let other = stored(&client, "ann@example.com", &["manage_access"]).await;
        let ann = signed(&client, &other).await;
        client.delete(&own).await.expect_error(409, "OWN_ACCESS");
        let _gone = ann.delete(&own).await.expect(204);
        client.get("/users").await.expect_error(401, "UNAUTHENTICATED");
        ann.delete(&other).await.expect_error(409, "OWN_ACCESS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_of_another_company_is_unknown() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await.manage(), hub.client().await.manage());
        let theirs_path = stored(&theirs, "ann@example.com", &["contacts_api"]).await;
        let before = theirs.get(&theirs_path).await.expect(200);
        for path in [theirs_path.clone(), format!("/users/{ID}"), "/users/x".to_owned()] {
            for answer in [
                ours.get(&path).await,
                ours.patch(&path, &json!({"permissions": []})).await,
                ours.delete(&path).await,
            ] {
                answer.expect_error(404, "USER_NOT_FOUND");
            }
        }
        assert_eq!(theirs.get(&theirs_path).await.expect(200).json, before.json);
        let list = ours.get("/users").await.expect(200);
        assert_eq!(list.json["meta"]["total"], 1);
        assert!(list.data()[0]["id"] != Value::Null && !list.text.contains("ann@example.com"));
    })
    .await;
}
