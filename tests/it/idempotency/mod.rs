//! Calls with an `Idempotency-Key`: each is executed once, whatever is lost in transit.

mod crash;
mod kept;
mod repeated;
mod routes;
mod simultaneous;
mod waiting;

use contact_hub_tests::{Answer, Client};
use reqwest::Method;
use serde_json::Value;

/// The header that marks a replayed answer.
const REPLAYED: &str = "idempotent-replayed";

/// Sends a call with a key.
async fn keyed(client: &Client, method: Method, path: &str, key: &str, body: &Value) -> Answer {
    Answer::of(client.request(method, path).header("Idempotency-Key", key).json(body)).await
}

/// Sends a POST with a key.
async fn post(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    keyed(client, Method::POST, path, key, body).await
}

/// Fails the test unless the second answer is a replay of the first one.
#[track_caller]
fn assert_replayed(first: &Answer, second: &Answer) {
    assert_eq!((first.status, &first.text), (second.status, &second.text));
    for name in ["location", "etag", "content-type", "cache-control"] {
        assert_eq!(first.header(name), second.header(name), "{name}");
    }
    assert_eq!((first.header(REPLAYED), second.header(REPLAYED)), ("", "true"));
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}
