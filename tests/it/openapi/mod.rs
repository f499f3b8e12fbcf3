//! The OpenAPI document matches the running service.

mod access;
mod additions;
mod answers;
mod document;
mod events;
mod nulls;
mod older;
mod page;
mod schema;
mod webhooks;

use contact_hub_tests::{Answer, TestHub};
use serde_json::Value;

/// The document that a hub serves, with references to shared responses resolved.
async fn served(hub: &TestHub) -> Value {
    with_responses(raw(hub, "/openapi.json").await)
}

/// A document as it is served.
async fn raw(hub: &TestHub, path: &str) -> Value {
    Answer::of(hub.http().get(format!("{}{path}", hub.base()))).await.expect(200).json
}

fn with_responses(mut document: Value) -> Value {
    let shared = document["components"]["responses"].clone();
    let paths = document["paths"].as_object_mut().expect("paths").values_mut();
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
        let responses = operation["responses"].as_object_mut().expect("responses");
        for response in responses.values_mut() {
            let reference = response["$ref"].as_str().unwrap_or_default();
            if let Some(name) = reference.strip_prefix("#/components/responses/") {
                *response = shared[name].clone();
            }
        }
    }
    document
}

/// Every operation with its path and method.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").iter();
            methods.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
        })
        .collect()
}
