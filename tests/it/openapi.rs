//! The OpenAPI document is that of the routes that are served.

use std::collections::BTreeSet;

use contact_hub_tests::{Answer, with_hub};
use serde_json::Value;

const BASE: &str = "/api/public/v1";

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
async fn documents_every_route_with_its_responses() {
    with_hub(async |hub| {
        let document = Answer::of(hub.http().get(format!("{}/openapi.json", hub.base())))
            .await
            .expect(200)
            .json;
        assert_eq!(document["openapi"], "3.1.0");
        let mut documented = BTreeSet::new();
        for (path, operations) in document["paths"].as_object().expect("paths") {
            for (method, operation) in operations.as_object().expect("operations") {
                documented.insert((method.to_uppercase(), format!("{BASE}{path}")));
                let responses = operation["responses"].as_object().expect("responses");
                for status in ["401", "403", "429", "503"] {
                    assert!(responses.contains_key(status), "{method} {path} {status}");
                }
                let is_judged = operation.get("requestBody").is_some()
                    || operation["parameters"].to_string().contains("\"query\"");
                assert_eq!(responses.contains_key("422"), is_judged, "{method} {path}");
                assert!(
                    operation["operationId"].is_string()
                        && operation["summary"].is_string()
                        && operation["tags"][0].is_string()
                );
            }
        }
        let served =
            contact_hub_web::operations().into_iter().filter(|(_, path)| path.starts_with(BASE));
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
async fn its_examples_are_taken() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let document = Answer::of(hub.http().get(format!("{}/openapi.json", hub.base()))).await.expect(200).json;
        for (path, method, status) in [("/fields", "post", 201), ("/contacts", "post", 201), ("/contacts/bulk", "post", 200), ("/contacts/bulk", "delete", 200)] {
            let example = &document["paths"][path][method]["requestBody"]["content"]["application/json"]["example"];
            let request = client.request(method.to_uppercase().parse().expect("a method"), path).json(example);
            let _taken = Answer::of(request).await.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_and_its_files_are_served_without_a_key() {
    with_hub(async |hub| {
        let page = Answer::of(hub.http().get(format!("{}/docs", hub.base()))).await.expect(200);
        assert!(
            page.header("content-type").starts_with("text/html")
                && !page.header("content-security-policy").is_empty()
        );
        let files = page.text.split('"').filter(|part| part.starts_with("/docs/"));
        let files: Vec<&str> = files.collect();
        assert!(files.len() >= 4, "{}", page.text);
        for file in files {
            assert_eq!(
                hub.http()
                    .get(format!("{}{file}", hub.base()))
                    .send()
                    .await
                    .expect("an answer")
                    .status(),
                200,
                "{file}"
            );
        }
    })
    .await;
}
