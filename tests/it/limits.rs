//! Rate limits.

use contact_hub::settings::ServeSettings;
use contact_hub_domain::access::{KeyDraft, Permission, create_key};
use contact_hub_tests::{Answer, Client, CompanyOptions, TestDatabase, with_hub, with_settings};
use reqwest::Method;
use serde_json::json;

use crate::process::Service;
use crate::support::{created, get, person, without_key};

const HEADERS: [&str; 5] = [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "ratelimit",
    "ratelimit-policy",
];

const fn limits(standard: u32, bulk: u32) -> impl FnOnce(&mut ServeSettings) {
    move |settings| {
        settings.rate_limit_standard = standard;
        settings.rate_limit_bulk = bulk;
    }
}

/// How many of this many calls made now are admitted.
async fn admitted(client: &Client, calls: usize) -> usize {
    let mut admitted = 0;
    for _ in 0..calls {
        admitted += usize::from(client.get("/fields").await.status == 200);
    }
    admitted
}

#[tokio::test(flavor = "multi_thread")]
async fn the_quota_can_be_used_at_once_and_is_restored_after_the_window() {
    let limits = |settings: &mut ServeSettings| {
        settings.rate_limit_standard = 5;
        settings.rate_limit_bulk = 2;
    };
    with_settings(limits, async |hub| {
        let client = hub.client().await;
        for left in (0..5).rev() {
            let answer = client.get("/fields").await.expect(200);
            assert_eq!(answer.header("x-ratelimit-limit"), "5");
            assert_eq!(answer.header("x-ratelimit-remaining"), left.to_string());
            assert_eq!(answer.header("ratelimit-policy"), "\"standard\";q=5;w=60");
        }
        let refused = client.get("/fields").await.expect(429);
        assert_eq!(refused.json["type"], "rate_limit_exceeded");
        assert!(refused.json["message"].is_string() && refused.json.get("error").is_none());
        let wait: i64 = refused.header("retry-after").parse().expect("whole seconds");
        assert!((1..=60).contains(&wait));
        let bulk = client.post("/contacts/bulk", &json!({})).await.expect(422);
        assert_eq!(bulk.header("x-ratelimit-remaining"), "1");
        let _another_client = hub.client().await.get("/fields").await.expect(200);
        hub.clock.advance(wait);
        let _waited = client.get("/fields").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_key_are_limited_by_address_and_a_refusal_comes_before_403() {
    let limits = |settings: &mut ServeSettings| settings.rate_limit_standard = 2;
    with_settings(limits, async |hub| {
        let options =
            CompanyOptions { permissions: vec![Permission::Publish], ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        for status in [403, 403, 429] {
            let _answer = client.get("/fields").await.expect(status);
        }
        for status in [401, 401, 429] {
            let request = hub.http().get(client.url("/fields"));
            assert_eq!(request.send().await.expect("an answer").status().as_u16(), status);
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_answer_to_a_limited_call_has_the_limit() {
    with_settings(limits(1000, 60), async |hub| {
        let client = hub.client().await;
        let path = format!("/contacts/{}", created(&client, &person("ann@example.com")).await);
        let tag = client.get(&path).await.expect(200).header("etag").to_owned();
        let seen = client.request(Method::GET, &path).header("If-None-Match", &tag);
        let stale = client.request(Method::DELETE, &path).header("If-Match", "\"x\"");
        let plain = client.request(Method::POST, "/contacts").header("Content-Type", "text/plain");
        let denied = CompanyOptions { permissions: Vec::new(), ..CompanyOptions::default() };
        let now = hub.hub.ports.environment.clock.now().micros() / 1_000_000;
        for (answer, status, bucket, quota) in [
            (client.get("/fields").await, 200, "standard", "1000"),
            (client.post("/contacts", &person("bob@example.com")).await, 201, "standard", "1000"),
            (client.post("/contacts", &json!({})).await, 422, "standard", "1000"),
            (client.post("/contacts", &person("ann@example.com")).await, 409, "standard", "1000"),
            (client.get("/contacts?page=1").await, 422, "standard", "1000"),
            (client.get("/contacts/x").await, 404, "standard", "1000"),
            (Answer::of(seen).await, 304, "standard", "1000"),
            (Answer::of(stale).await, 412, "standard", "1000"),
            (Answer::of(plain.body("x")).await, 415, "standard", "1000"),
            (
                client.post_text("/contacts", vec![b' '; (1 << 20) + 1]).await,
                413,
                "standard",
                "1000",
            ),
            (hub.client_of(&denied).await.get("/fields").await, 403, "standard", "1000"),
            (Answer::of(without_key(hub, Method::GET, "/fields")).await, 401, "standard", "1000"),
            (client.delete(&path).await, 204, "standard", "1000"),
            (client.post("/contacts/bulk", &json!({"contacts": [1]})).await, 200, "bulk", "60"),
            (client.delete_with("/contacts/bulk", &json!({"ids": ["x"]})).await, 200, "bulk", "60"),
            (client.post("/contacts/bulk-delete", &json!({})).await, 422, "bulk", "60"),
            (client.post("/contacts/bulk?dry_run=true", &json!({})).await, 422, "bulk", "60"),
            (client.get("/contacts/export").await, 200, "bulk", "60"),
            (
                client.post("/contacts/lookup", &json!({"ids": ["x"]})).await,
                200,
                "standard",
                "1000",
            ),
        ] {
            assert_eq!(answer.status, status, "{}", answer.text);
            assert_eq!(answer.header("x-ratelimit-limit"), quota, "{status}");
            let left: u32 = answer.header("x-ratelimit-remaining").parse().expect("a number");
            assert!(left < quota.parse().expect("a number"), "{status}");
            let reset: i64 = answer.header("x-ratelimit-reset").parse().expect("epoch seconds");
            assert!((now + 55..=now + 75).contains(&reset), "{status}: {reset} at {now}");
            let policy = format!("\"{bucket}\";q={quota};w=60");
            assert_eq!(answer.header("ratelimit-policy"), policy, "{status}");
            let limit = answer.header("ratelimit");
            assert!(limit.starts_with(&format!("\"{bucket}\";r={left};t=")), "{limit}");
        }
        for path in
            ["/health/live", "/metrics", "/openapi.json", "/openapi-3.0.json", "/docs", "/nothing"]
        {
            let answer = get(hub, path).await;
            assert!(HEADERS.iter().all(|name| answer.header(name).is_empty()), "{path}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_minute_admits_more_than_the_quota_and_refused_calls_do_not_count() {
    with_settings(limits(6, 0), async |hub| {
        let client = hub.client().await;
        assert_eq!(admitted(&client, 3).await, 3);
        hub.clock.advance(40);
        assert_eq!(admitted(&client, 10).await, 3);
        hub.clock.advance(5);
        assert_eq!(admitted(&client, 10).await, 0);
        hub.clock.advance(16);
        assert_eq!(admitted(&client, 10).await, 3, "the first three have left the window");
        hub.clock.advance(61);
        assert_eq!(admitted(&client, 10).await, 6, "the refused ones never stood in it");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bulk_calls_share_a_separate_bucket() {
    with_settings(limits(2, 3), async |hub| {
        let client = hub.client().await;
        assert_eq!(admitted(&client, 5).await, 2);
        let _one = client.post("/contacts/bulk", &json!({"contacts": [1]})).await.expect(200);
        let ids = json!({"ids": ["x"]});
        let _two = client.delete_with("/contacts/bulk", &ids).await.expect(200);
        let _three = client.post("/contacts/bulk-delete", &ids).await.expect(200);
        let refused = client.delete_with("/contacts/bulk", &ids).await.expect(429);
        assert_eq!(refused.header("x-ratelimit-limit"), "3");
        assert_eq!(refused.header("x-ratelimit-remaining"), "0");
        let members: Vec<&String> = refused.json.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["message", "type"]);
        let _over = client.post("/contacts/bulk", &json!({})).await.expect(429);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_keys_of_a_user_share_a_quota() {
    with_settings(limits(5, 3), async |hub| {
        let client = hub.client().await;
        let ports = &hub.hub.ports.access;
        let mut keys = vec![client.clone()];
        for _ in 0..4 {
            let key =
                create_key(ports, None, client.made.user, &KeyDraft::default()).await.unwrap();
            let mut same_user = client.clone();
            key.token.reveal().clone_into(&mut same_user.made.token);
            keys.push(same_user);
        }
        let (mut calls, mut bulks) = (0, 0);
        for key in &keys {
            calls += admitted(key, 3).await;
            for _ in 0..2 {
                let bulk = key.post("/contacts/bulk", &json!({"contacts": [1]})).await;
                bulks += usize::from(bulk.status == 200);
            }
        }
        assert_eq!((calls, bulks), (5, 3));
        assert_eq!(admitted(&hub.client().await, 9).await, 5, "another user has another quota");
        let mut nobody = client.clone();
        for (token, status) in [("x", 401), ("y", 401), ("z", 401)] {
            token.clone_into(&mut nobody.made.token);
            let _shared_by_the_address = nobody.get("/fields").await.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exhausted_quota_is_reported_before_a_bad_body_and_an_unknown_id() {
    with_settings(limits(1, 1), async |hub| {
        let client = hub.client().await;
        let _spent = client.get("/fields").await.expect(200);
        let _spent = client.post("/contacts/bulk", &json!({})).await.expect(422);
        for answer in [
            client.post_text("/contacts", "{").await,
            client.post_text("/contacts/bulk", "{").await,
            client.get("/contacts/x").await,
            client.get("/contacts?page=1").await,
            Answer::of(client.request(Method::POST, "/fields").header("Content-Type", "x/y")).await,
        ] {
            assert_eq!(answer.expect(429).json["type"], "rate_limit_exceeded");
        }
        let _route = client.put("/fields", &json!({})).await.expect(405);
        let _route = client.get("/nothing").await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn zero_means_no_limit_and_no_headers() {
    with_hub(async |hub| {
        let client = hub.client().await;
        assert_eq!(admitted(&client, 50).await, 50);
        let answer = client.get("/fields").await.expect(200);
        assert!(HEADERS.iter().all(|name| answer.header(name).is_empty()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_and_sixty_bulk_calls_a_minute_are_the_default() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let standard = service.call("GET", "/fields", &key, None).await.expect(200);
    assert_eq!(standard.header("x-ratelimit-limit"), "1000");
    let bulk = service.call("POST", "/contacts/bulk", &key, Some(&json!({}))).await.expect(422);
    assert_eq!(bulk.header("x-ratelimit-limit"), "60");
    service.stop();
}
