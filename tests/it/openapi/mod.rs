//! The OpenAPI document is that of the service that is served.

mod access;
mod additions;
mod answers;
mod document;
mod events;
mod page;
mod schema;
mod webhooks;

use contact_hub_tests::{Answer, TestHub};
use serde_json::Value;

/// The document that a hub serves.
async fn served(hub: &TestHub) -> Value {
    Answer::of(hub.http().get(format!("{}/openapi.json", hub.base()))).await.expect(200).json
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
