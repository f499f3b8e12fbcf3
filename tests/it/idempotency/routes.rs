//! Every POST and PATCH of the contacts and the management interface takes a key, and the document says so.

use contact_hub_tests::{Answer, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::assert_replayed;

/// The operations that take a key.
fn keyed(document: &Value) -> Vec<(Method, String, &Value)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let is_ours =
                ["/api/public/v1/", "/api/manage/v1/"].iter().any(|it| path.starts_with(it));
            if is_ours && ["post", "patch"].contains(&method.as_str()) {
                let method =
                    Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
                found.push((method, path.clone(), operation));
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_keeps_its_answer() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let document = hub.http().get(format!("{}/openapi.json", hub.base()));
        let document = Answer::of(document).await.expect(200).json;
        let operations = keyed(&document);
        assert!(operations.len() >= 19, "{}", operations.len());
        for (method, path, _) in operations {
            let path = path.replace("{id}", "01931e3a-7c00-7000-8000-0000000000ab");
            let call = |key: &str, body: Value| {
                let request = hub.http().request(method.clone(), format!("{}{path}", hub.base()));
                let request = request.bearer_auth(&client.made.token);
                Answer::of(request.header("Idempotency-Key", key).json(&body))
            };
            let key = format!("{method}:{path}");
            let first = call(&key, json!({"name": 7})).await;
            assert!(first.status < 500, "{key} {}", first.text);
            assert_replayed(&first, &call(&key, json!({"name": 7})).await);
            let other = call(&key, json!({})).await;
            other.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
            call("not a key", json!({})).await.expect_invalid(&["Idempotency-Key"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_has_the_request_header_the_codes_and_the_replay_header() {
    with_hub(async |hub| {
        let document = hub.http().get(format!("{}/openapi.json", hub.base()));
        let document = Answer::of(document).await.expect(200).json;
        for (method, path, operation) in keyed(&document) {
            let parameters = operation["parameters"].as_array().expect("parameters");
            let named = |it: &Value| it["name"] == "Idempotency-Key" && it["in"] == "header";
            assert!(parameters.iter().any(named), "{method} {path}");
            let responses = &operation["responses"];
            for (status, code) in [
                ("409", "IDEMPOTENCY_KEY_IN_USE"),
                ("410", "IDEMPOTENT_ANSWER_GONE"),
                ("422", "IDEMPOTENCY_KEY_REUSED"),
            ] {
                let response = responses[status].to_string();
                assert!(response.contains(code), "{method} {path} {status}");
                assert!(response.contains("Idempotent-Replayed"), "{method} {path} {status}");
            }
            assert!(responses["409"]["headers"].get("Retry-After").is_some(), "{method} {path}");
        }
    })
    .await;
}
