//! Reusing a key: with the same request, with another one, and malformed.

use contact_hub_tests::{Answer, Client, with_hub, with_settings};
use reqwest::Method;
use serde_json::json;

use super::{REPLAYED, assert_replayed, keyed, post};
use crate::support::{created, person};

async fn total(client: &Client) -> i64 {
    client.get("/contacts").await.expect(200).json["meta"]["total"].as_i64().expect("a total")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_create_gets_the_same_answer_and_creates_nothing() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let first = post(&client, "/contacts", "k", &person("ann@example.com")).await.expect(201);
        let second = post(&client, "/contacts", "k", &person("ann@example.com")).await;
        assert_replayed(&first, &second);
        assert!(!first.header("location").is_empty() && !first.header("etag").is_empty());
        assert_eq!(total(&client).await, 1);
        let without = client.post("/contacts", &person("ann@example.com")).await;
        without.expect_error(409, "CONTACT_ALREADY_EXISTS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_a_rejected_call_is_replayed_too() {
    with_hub(async |hub| {
        let client = hub.client().await;
        created(&client, &person("ann@example.com")).await;
        let missing = "/users/01931e3a-7c00-7000-8000-0000000000ab/api-keys";
        let calls = [
            (client.clone(), "/contacts", person("ann@example.com"), 409),
            (client.clone(), "/contacts", json!({"email": "no"}), 422),
            (client.manage(), missing, json!({}), 404),
        ];
        for (client, path, body, status) in calls {
            let key = format!("rejected-{status}");
            let first = post(&client, path, &key, &body).await.expect(status);
            assert_replayed(&first, &post(&client, path, &key, &body).await);
        }
        let text = client.request(Method::POST, "/contacts").header("Idempotency-Key", "text");
        let text = || text.try_clone().expect("a request").header("content-type", "text/plain");
        let first = Answer::of(text().body("x")).await.expect(415);
        assert_replayed(&first, &Answer::of(text().body("x")).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_bulk_and_a_repeated_change_have_no_effect() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows = json!({"contacts": [person("a@example.com"), person("b@example.com"), 7]});
        let first = post(&client, "/contacts/bulk", "bulk", &rows).await.expect(200);
        assert_eq!(first.data()["created"], 2);
        assert_replayed(&first, &post(&client, "/contacts/bulk", "bulk", &rows).await);
        let manage = client.manage();
        let change = async |name: &str, key: &str| {
            keyed(&manage, Method::PATCH, "/company", key, &json!({"name": name})).await
        };
        let first = change("One", "1").await.expect(200);
        let _ = change("Two", "2").await.expect(200);
        assert_replayed(&first, &change("One", "1").await);
        let company = manage.get("/company").await.expect(200);
        assert_eq!(company.data()["name"], "Two", "the repetition changed nothing");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_with_the_same_key_is_refused_and_has_no_effect() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let ann = person("ann@example.com");
        let first = post(&client, "/contacts", "k", &ann).await.expect(201);
        let others = [
            (client.clone(), Method::POST, "/contacts", person("bob@example.com")),
            (client.clone(), Method::POST, "/contacts?x=1", ann.clone()),
            (client.clone(), Method::POST, "/fields", ann.clone()),
            (client.manage(), Method::PATCH, "/company", ann.clone()),
        ];
        for (client, method, path, body) in others {
            let refused = keyed(&client, method, path, "k", &body).await;
            let refused = refused.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
            assert_eq!(refused.header(REPLAYED), "");
        }
        assert_eq!(total(&client).await, 1);
        assert_replayed(&first, &post(&client, "/contacts", "k", &ann).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_key_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = person("ann@example.com");
        let long = "k".repeat(256);
        for key in ["", " ", "a b", "ä", &long] {
            let request = client.request(Method::POST, "/contacts");
            let bytes = reqwest::header::HeaderValue::from_bytes(key.as_bytes()).expect("a value");
            let answer = Answer::of(request.header("Idempotency-Key", bytes).json(&body)).await;
            answer.expect_invalid(&["Idempotency-Key"]);
        }
        let twice = client.request(Method::POST, "/contacts").header("Idempotency-Key", "a");
        let twice = Answer::of(twice.header("Idempotency-Key", "b").json(&body)).await;
        twice.expect_invalid(&["Idempotency-Key"]);
        assert_eq!(total(&client).await, 0);
        let all: String = ('!'..='~').chain(['x']).cycle().take(255).collect();
        let first = post(&client, "/contacts", &all, &body).await.expect(201);
        assert_replayed(&first, &post(&client, "/contacts", &all, &body).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_user_has_separate_keys_and_other_methods_ignore_them() {
    with_hub(async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        let body = person("ann@example.com");
        let first = post(&client, "/contacts", "k", &body).await.expect(201);
        let theirs = post(&other, "/contacts", "k", &body).await.expect(201);
        assert_ne!(first.data()["id"], theirs.data()["id"]);
        let manage = client.manage();
        let user = json!({"email": "sync@acme.example", "permissions": ["contacts_api"]});
        let user = manage.post("/users", &user).await.expect(201).data()["id"].clone();
        let keys = format!("/users/{}/api-keys", user.as_str().expect("an id"));
        let token = manage.post(&keys, &json!({})).await.expect(201).data()["token"].clone();
        let colleague = hub.http().post(client.url("/contacts"));
        let colleague = colleague.bearer_auth(token.as_str().expect("a token"));
        let colleague = colleague.header("Idempotency-Key", "k").json(&body);
        Answer::of(colleague).await.expect_error(409, "CONTACT_ALREADY_EXISTS");
        for (method, status) in [(Method::GET, 200), (Method::DELETE, 204)] {
            let path = format!("/contacts/{}", first.data()["id"].as_str().expect("an id"));
            let answer = client.request(method, &path).header("Idempotency-Key", "k");
            let answer = Answer::of(answer).await.expect(status);
            assert_eq!(answer.header(REPLAYED), "");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_may_send_the_key_and_read_the_replay_header() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.cors_origins = vec!["https://app.example.com".to_owned()];
    };
    with_settings(change, async |hub| {
        let client = hub.client().await;
        let asked = hub.http().request(Method::OPTIONS, client.url("/contacts"));
        let asked = asked
            .header("Origin", "https://app.example.com")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,idempotency-key");
        let asked = Answer::of(asked).await;
        assert!((200..300).contains(&asked.status), "{}", asked.text);
        let call = client.request(Method::POST, "/contacts").json(&person("ann@example.com"));
        let call = call.header("Origin", "https://app.example.com").header("Idempotency-Key", "k");
        let answer = Answer::of(call).await.expect(201);
        let exposed = answer.header("access-control-expose-headers").to_lowercase();
        assert!(exposed.contains(REPLAYED), "{exposed}");
    })
    .await;
}
