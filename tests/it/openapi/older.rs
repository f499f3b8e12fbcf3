//! The document in OpenAPI 3.0 is equivalent to the one in 3.1.

use std::collections::BTreeSet;

use contact_hub_tests::with_hub;
use serde_json::Value;

use super::schema::misfits;
use super::{operations, raw, with_responses};

/// All contents of requests and responses, with their locations.
fn contents(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, method, operation) in operations(document) {
        let responses = operation["responses"].as_object().expect("responses").iter();
        let responses = responses.map(|(status, response)| (status.as_str(), response));
        let request = operation.get("requestBody").map(|body| ("request", body));
        for (part, body) in responses.chain(request) {
            for (kind, content) in body["content"].as_object().into_iter().flatten() {
                found.push((format!("{method} {path} {part} {kind}"), content));
            }
        }
    }
    found
}

/// Schema keywords that only exist in 3.1.
fn newer_words(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let is_newer = match name.as_str() {
                    "const" | "propertyNames" | "prefixItems" => true,
                    "type" => member.is_array() || member == "null",
                    _ => false,
                };
                if is_newer {
                    found.insert(format!("{name}: {member}"));
                }
                newer_words(member, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| newer_words(item, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_has_the_same_operations_and_their_examples_are_valid() {
    with_hub(async |hub| {
        let older = with_responses(raw(hub, "/openapi-3.0.json").await);
        let newer = with_responses(raw(hub, "/openapi.json").await);
        assert_eq!(older["openapi"], "3.0.3");
        let ids = |document| {
            let operations = operations(document).into_iter();
            operations.map(|(path, method, it)| format!("{method} {path} {}", it["operationId"]))
        };
        assert!(ids(&older).eq(ids(&newer)));
        let webhooks = |value: &Value| value.as_object().expect("webhooks").len();
        assert_eq!(webhooks(&older["x-webhooks"]), webhooks(&newer["webhooks"]));
        let (of_older, of_newer) = (contents(&older), contents(&newer));
        assert_eq!(of_older.len(), of_newer.len());
        for ((place, content), (same, original)) in of_older.into_iter().zip(of_newer) {
            assert_eq!((&place, &content["example"]), (&same, &original["example"]));
            let several = content["examples"].as_object().into_iter().flatten();
            let several = several.map(|(_, example)| &example["value"]);
            for example in several.chain(content.get("example")) {
                let found = misfits(&older, &content["schema"], example, &place);
                assert_eq!(found, Vec::<String>::new());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_schemas_have_no_keywords_of_3_1() {
    with_hub(async |hub| {
        let mut found = BTreeSet::new();
        newer_words(&raw(hub, "/openapi-3.0.json").await["components"], &mut found);
        assert_eq!(found, BTreeSet::new());
        newer_words(&raw(hub, "/openapi.json").await["components"], &mut found);
        assert!(!found.is_empty());
    })
    .await;
}
