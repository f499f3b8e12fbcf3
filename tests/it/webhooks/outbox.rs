//! Helpers of the tests of webhooks.

use contact_hub_tests::{Answer, Client};
use serde_json::{Value, json};

/// The smallest body that creates a webhook.
pub(super) fn webhook() -> Value {
    json!({"name": "Platform", "url": "https://platform.example/hook", "events": ["syncRequested"]})
}

/// The smallest body with one property set to something else.
pub(super) fn webhook_with(name: &str, value: impl Into<Value>) -> Value {
    let mut body = webhook();
    body[name] = value.into();
    body
}

/// A string of an answer's payload.
pub(super) fn text(answer: &Answer, name: &str) -> String {
    answer.data()[name].as_str().expect("a text").to_owned()
}

/// Creates a webhook and returns its path.
pub(super) async fn created(client: &Client, body: &Value) -> String {
    let answer = client.post("/webhooks", body).await.expect(201);
    format!("/webhooks/{}", text(&answer, "id"))
}
