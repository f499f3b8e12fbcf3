//! Checks of every operation of the document, so that no new one is forgotten.

use contact_hub::settings::ServeSettings;
use contact_hub_tests::{Answer, CompanyOptions, TestHub, with_hub, with_settings};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;

use crate::prepared::calls;
use crate::support::get;

const ID: &str = "01931e3a-7c00-7000-8000-000000000000";

/// The operations that count as bulk calls.
const BULK: [&str; 4] = [
    "POST /api/public/v1/contacts/bulk",
    "DELETE /api/public/v1/contacts/bulk",
    "POST /api/public/v1/contacts/bulk-delete",
    "GET /api/public/v1/contacts/export",
];

/// Every operation of the interfaces, with an unknown id for each path parameter.
async fn operations(hub: &TestHub) -> Vec<(String, Method, String)> {
    let document = get(hub, "/openapi.json").await.expect(200).json;
    let mut operations = Vec::new();
    for (pattern, methods) in document["paths"].as_object().unwrap() {
        let part = |part: &'_ str| if part.starts_with('{') { ID } else { part }.to_owned();
        let path = pattern.split('/').map(part).collect::<Vec<_>>().join("/");
        for method in methods.as_object().unwrap().keys().map(|it| it.to_uppercase()) {
            if pattern.starts_with("/api/") {
                let name = format!("{method} {pattern}");
                operations.push((name, method.parse().unwrap(), path.clone()));
            }
        }
    }
    assert!(operations.len() >= 58, "{}", operations.len());
    operations
}

#[tokio::test(flavor = "multi_thread")]
async fn each_needs_a_key_and_a_permission() {
    with_hub(async |hub| {
        let nobody = CompanyOptions { permissions: Vec::new(), ..CompanyOptions::default() };
        let nobody = hub.client_of(&nobody).await;
        for (name, method, path) in operations(hub).await {
            let request = || hub.http().request(method.clone(), format!("{}{path}", hub.base()));
            for request in [request(), request().bearer_auth("none")] {
                let unknown = Answer::of(request).await;
                assert_eq!(unknown.status, 401, "{name}");
                let unknown = unknown.expect_error(401, "UNAUTHENTICATED");
                assert_eq!(unknown.header("www-authenticate"), "Bearer", "{name}");
            }
            let denied = Answer::of(request().bearer_auth(&nobody.made.token)).await;
            assert_eq!(denied.status, 403, "{name}");
            denied.expect_error(403, "ACCESS_DENIED");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_counts_in_its_bucket() {
    let limits = |settings: &mut ServeSettings| {
        (settings.rate_limit_standard, settings.rate_limit_bulk) = (1000, 60);
    };
    with_settings(limits, async |hub| {
        let client = hub.client().await;
        for (name, method, path) in operations(hub).await {
            let request = hub.http().request(method, format!("{}{path}", hub.base()));
            let answer = Answer::of(request.bearer_auth(&client.made.token)).await;
            assert!(answer.status < 500, "{name}: {}", answer.text);
            let quota = if BULK.contains(&name.as_str()) { "60" } else { "1000" };
            assert_eq!(answer.header("x-ratelimit-limit"), quota, "{name}");
            assert!(!answer.header("x-ratelimit-remaining").is_empty(), "{name}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_body_must_be_a_json_object() {
    with_hub(async |hub| {
        let (setting, calls) = calls(hub).await;
        for call in calls.iter().filter(|call| !call.body.is_null()) {
            let send = |kind: &str, body: &'static str| {
                let request = call.request(hub, &setting.client).header(CONTENT_TYPE, kind);
                Answer::of(request.body(body))
            };
            for body in ["[]", "{", "null", "7"] {
                let refused = send("application/json", body).await;
                assert_eq!(refused.status, 422, "{} {body}", call.operation);
                refused.expect_invalid(&["body"]);
            }
            let refused = send("text/plain", "{}").await;
            assert_eq!(refused.status, 415, "{}", call.operation);
            refused.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_another_company_is_found() {
    with_hub(async |hub| {
        let (setting, calls) = calls(hub).await;
        let stranger = hub.client().await;
        let _same = stranger.field("Team", "string").await;
        for call in calls.iter().filter(|call| call.has_id()) {
            let unknown = call.send(hub, &stranger).await;
            assert_eq!(unknown.status, 404, "{}: {}", call.operation, unknown.text);
            let code = unknown.json["error"]["code"].as_str().unwrap();
            assert!(code.ends_with("_NOT_FOUND"), "{}: {code}", call.operation);
        }
        // Nothing was changed, so each still succeeds.
        for call in &calls {
            let answer = call.send(hub, &setting.client).await;
            assert!(answer.status < 300, "{}: {}", call.operation, answer.text);
        }
    })
    .await;
}
