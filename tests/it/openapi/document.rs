//! The document, compared with the served routes.

use std::collections::BTreeSet;

use contact_hub_tests::{Binary, with_hub};
use serde_json::{Value, json};

use super::schema::misfits;
use super::{operations, raw, served};

/// The error codes of every interface, including the general ones.
const CODES: [&str; 35] = [
    "CURSOR_EXPIRED",
    "UNAUTHENTICATED",
    "ACCESS_DENIED",
    "EMAIL_DOMAIN_NOT_ALLOWED",
    "CONTACT_NOT_FOUND",
    "FIELD_NOT_FOUND",
    "ASSET_NOT_FOUND",
    "INTEGRATION_NOT_FOUND",
    "WEBHOOK_NOT_FOUND",
    "DELIVERY_NOT_FOUND",
    "USER_NOT_FOUND",
    "API_KEY_NOT_FOUND",
    "USER_ALREADY_EXISTS",
    "OWN_ACCESS",
    "SYNC_NOT_REQUESTED",
    "SYNC_AMBIGUOUS",
    "ASSET_TYPE_NOT_SUPPORTED",
    "WEBHOOK_NOT_CONFIGURED",
    "CONTACT_ALREADY_EXISTS",
    "CONTACT_ERASED",
    "FIELD_ALREADY_EXISTS",
    "IDEMPOTENCY_KEY_IN_USE",
    "IDEMPOTENCY_KEY_REUSED",
    "IDEMPOTENT_ANSWER_GONE",
    "SERVICE_UNAVAILABLE",
    "NOT_ACCEPTABLE",
    "BAD_REQUEST",
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "PAYLOAD_TOO_LARGE",
    "REQUEST_TIMEOUT",
    "UNSUPPORTED_MEDIA_TYPE",
    "PRECONDITION_FAILED",
    "INTERNAL_ERROR",
];

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_and_no_other_is_documented() {
    with_hub(async |hub| {
        let document = served(hub).await;
        assert_eq!(document["openapi"], "3.1.0");
        assert_eq!(document["servers"][0]["url"], hub.base());
        let documented: BTreeSet<_> = operations(&document)
            .into_iter()
            .map(|(path, method, _)| (method.to_uppercase(), path.to_owned()))
            .collect();
        let served =
            contact_hub_web::operations().into_iter().filter(|(_, path)| path.starts_with("/api/"));
        assert_eq!(documented, served.collect::<BTreeSet<_>>());
        let mut found = Vec::new();
        references(&document, &mut found);
        for reference in found {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_is_optional_where_the_call_works_without_it() {
    with_hub(async |hub| {
        let document = served(hub).await;
        let optional = operations(&document).into_iter().filter_map(|(_, _, operation)| {
            let is_optional = operation.get("requestBody")?["required"] == false;
            is_optional.then(|| operation["operationId"].as_str().expect("an id").to_owned())
        });
        let expected = ["createApiKey", "eraseContact", "rotateSecret"].map(str::to_owned);
        assert_eq!(optional.collect::<BTreeSet<_>>(), BTreeSet::from(expected));
        let contacts = hub.client().await;
        let client = contacts.manage();
        let hook =
            json!({"name": "Hook", "url": "https://example.com/", "events": ["syncRequested"]});
        let hook = client.post("/webhooks", &hook).await.expect(201);
        let user = client.get("/users").await.expect(200).data()[0].clone();
        let contact = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let contact = contacts.post("/contacts", &contact).await.expect(201);
        for (path, status) in [
            (format!("/webhooks/{}/rotate-secret", hook.data()["id"].as_str().unwrap()), 200),
            (format!("/users/{}/api-keys", user["id"].as_str().unwrap()), 201),
            (format!("/contacts/{}/erase", contact.data()["id"].as_str().unwrap()), 204),
        ] {
            let _answer = client.trigger(&path).await.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_documents_its_possible_errors() {
    with_hub(async |hub| {
        let document = served(hub).await;
        let mut ids = BTreeSet::new();
        for (path, method, operation) in operations(&document) {
            let name = format!("{method} {path}");
            let responses = operation["responses"].as_object().expect("responses");
            for status in ["401", "403", "429", "500", "503"] {
                assert!(responses.contains_key(status), "{name} {status}");
            }
            let successes = responses.keys().filter(|status| status.starts_with('2'));
            assert_eq!(successes.count(), 1, "{name}");
            let has_body = operation.get("requestBody").is_some();
            for status in ["408", "413", "415"] {
                assert_eq!(responses.contains_key(status), has_body, "{name} {status}");
            }
            let parameters = operation["parameters"].to_string();
            let is_checked =
                ["\"query\"", "Idempotency-Key"].iter().any(|it| parameters.contains(it));
            assert_eq!(responses.contains_key("422"), has_body || is_checked, "{name}");
            // The body of this one names a webhook.
            let names_one = path.contains("{id}") || path.ends_with("/deliveries/recover");
            assert_eq!(responses.contains_key("404"), names_one, "{name}");
            assert!(operation["summary"].is_string() && operation["description"].is_string());
            let tag = &operation["tags"][0];
            let tags = document["tags"].as_array().expect("tags");
            assert!(tags.iter().any(|known| known["name"] == *tag), "{name}");
            assert!(operation["security"][0]["bearer"].is_array(), "{name}");
            assert!(ids.insert(operation["operationId"].as_str().expect("an id")), "{name}");
        }
    })
    .await;
}

fn fits_its_examples(document: &Value, content: &Value, place: &str) {
    let several = content["examples"].as_object().into_iter().flatten();
    let examples: Vec<&Value> =
        several.map(|(_, example)| &example["value"]).chain(content.get("example")).collect();
    assert!(!examples.is_empty(), "{place}");
    for example in examples {
        let found = misfits(document, &content["schema"], example, place);
        assert_eq!(found, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_has_its_headers_and_a_valid_example() {
    with_hub(async |hub| {
        let document = served(hub).await;
        for (path, method, operation) in operations(&document) {
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let place = format!("{method} {path} {status}");
                for header in ["X-Request-Id", "X-RateLimit-Limit", "RateLimit-Policy"] {
                    assert!(response["headers"].get(header).is_some(), "{place} {header}");
                }
                let kinds: Vec<_> = response["content"].as_object().into_iter().flatten().collect();
                let has_body = !matches!(status.as_str(), "204" | "304");
                assert_eq!(!kinds.is_empty(), has_body, "{place}");
                for (kind, content) in kinds {
                    fits_its_examples(&document, content, &format!("{place} {kind}"));
                }
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_error_code_of_the_interface_is_documented() {
    with_hub(async |hub| {
        let document = served(hub).await;
        let code = "/components/schemas/ApplicationError/properties/error/properties/code/enum";
        let codes = document.pointer(code).and_then(Value::as_array).expect("codes");
        let codes: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
        assert_eq!(codes, CODES.into_iter().collect());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_prints_the_document_with_a_relative_server() {
    with_hub(async |hub| {
        for (path, words) in [
            ("/openapi.json", vec!["openapi"]),
            ("/openapi-3.0.json", vec!["openapi", "--spec", "3.0"]),
        ] {
            let mut served = raw(hub, path).await;
            let mut printed = Binary::on(&hub.database).json(&words);
            assert_eq!(printed["servers"][0]["url"], "/");
            printed["servers"] = Value::Null;
            served["servers"] = Value::Null;
            assert_eq!(printed, served);
        }
    })
    .await;
}
