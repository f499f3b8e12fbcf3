//! The rules for bodies apply to every call with a body.

use contact_hub_tests::{Answer, Client, TestHub, with_hub};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::support::{created, person};

const STANDARD: usize = 1 << 20;
const BULK: usize = 16 << 20;

/// A call with a body: the maximum size, a required member, a valid body, and the errors without the member.
struct Call {
    method: Method,
    path: String,
    limit: usize,
    member: &'static str,
    body: Value,
    missing: &'static [&'static str],
}

async fn calls(hub: &TestHub) -> (Client, Vec<Call>) {
    let client = hub.client().await;
    client.field("Team", "string").await;
    let id = created(&client, &person("ann@example.com")).await;
    let call = |method, path: &str, limit, members: &'static [&'static str], body| {
        let path = path.to_owned();
        Call { method, path, limit, member: members[0], missing: members, body }
    };
    let values = format!("/contacts/{id}/field-values");
    let calls = vec![
        call(
            Method::POST,
            "/fields",
            STANDARD,
            &["name"],
            json!({"name": "Age", "type": "number"}),
        ),
        call(Method::POST, "/contacts", STANDARD, &["email"], person("bob@example.com")),
        call(
            Method::PUT,
            &values,
            STANDARD,
            &["field_values"],
            json!({"field_values": {"team": "x"}}),
        ),
        call(
            Method::POST,
            "/contacts/bulk",
            BULK,
            &["contacts"],
            json!({"contacts": [person("c@example.com")]}),
        ),
        call(Method::DELETE, "/contacts/bulk", BULK, &["ids"], json!({"ids": ["x"]})),
        call(Method::POST, "/contacts/lookup", STANDARD, &["ids", "emails"], json!({"ids": ["x"]})),
        call(Method::POST, "/contacts/bulk-delete", BULK, &["ids"], json!({"ids": ["x"]})),
    ];
    (client, calls)
}

async fn send(client: &Client, call: &Call, kind: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = client.request(call.method.clone(), &call.path).header(CONTENT_TYPE, kind);
    Answer::of(request.body(body)).await
}

const JSON: &str = "application/json";

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_a_json_object_is_reported_under_the_key_body() {
    with_hub(async |hub| {
        let (client, calls) = calls(hub).await;
        for call in &calls {
            for body in ["", "[]", "null", "7", "\"x\"", "{", "{\"a\":1,}", "\u{feff}\u{feff}{}"] {
                send(&client, call, JSON, body).await.expect_invalid(&["body"]);
            }
            let deep = |levels: usize| {
                let inside = levels - 1;
                let mut body = call.body.to_string();
                body.pop();
                format!("{body}, \"x\": {}1{}}}", "[".repeat(inside), "]".repeat(inside))
            };
            send(&client, call, JSON, deep(65)).await.expect_invalid(&["body"]);
            let taken = send(&client, call, JSON, deep(64)).await;
            assert!(taken.status < 300, "{}: {}", call.path, taken.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_media_type_is_415_and_a_byte_order_mark_and_a_suffix_are_accepted() {
    with_hub(async |hub| {
        let (client, calls) = calls(hub).await;
        for call in &calls {
            let body = call.body.to_string();
            for kind in ["text/plain", "application/xml", "application/json; charset=utf-16"] {
                let refused = send(&client, call, kind, body.clone()).await;
                refused.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
            }
            let kind = "application/vnd.hub+json; charset=\"UTF-8\"";
            let taken = send(&client, call, kind, format!("\u{feff}{body}")).await;
            assert!(taken.status < 300, "{}: {}", call.path, taken.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_of_duplicate_members_counts() {
    with_hub(async |hub| {
        let (client, calls) = calls(hub).await;
        for call in &calls {
            let body = call.body.to_string();
            let member = call.member;
            let bad_last = format!("{}, \"{member}\": 5}}", body.strip_suffix('}').unwrap());
            send(&client, call, JSON, bad_last).await.expect_invalid(&[member]);
            let bad_first = format!("{{\"{member}\": 5, {}", body.strip_prefix('{').unwrap());
            let taken = send(&client, call, JSON, bad_first).await;
            assert!(taken.status < 300, "{}: {}", call.path, taken.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_accepts_bodies_up_to_its_limit() {
    with_hub(async |hub| {
        let (client, calls) = calls(hub).await;
        for call in &calls {
            let body = call.body.to_string();
            let padded = |length: usize| format!("{body}{}", " ".repeat(length - body.len()));
            for length in [call.limit + 1, call.limit + 3_000_000] {
                let refused = send(&client, call, JSON, padded(length)).await;
                refused.expect_error(413, "PAYLOAD_TOO_LARGE");
            }
            let taken = send(&client, call, JSON, padded(call.limit)).await;
            assert!(taken.status < 300, "{}: {}", call.path, taken.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_properties_are_ignored_and_a_missing_member_is_reported() {
    with_hub(async |hub| {
        let (client, calls) = calls(hub).await;
        for call in &calls {
            let mut body = call.body.clone();
            body["unknown"] = json!({"a": [null]});
            let member = body.as_object_mut().unwrap().remove(call.member).unwrap();
            let missing = client.request(call.method.clone(), &call.path).json(&body);
            Answer::of(missing).await.expect_invalid(call.missing);
            body[call.member] = Value::Null;
            let null = client.request(call.method.clone(), &call.path).json(&body);
            Answer::of(null).await.expect_invalid(call.missing);
            body[call.member] = member;
            let taken =
                Answer::of(client.request(call.method.clone(), &call.path).json(&body)).await;
            assert!(taken.status < 300, "{}: {}", call.path, taken.text);
        }
    })
    .await;
}
