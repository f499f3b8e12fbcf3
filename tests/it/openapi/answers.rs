//! The service accepts what the document describes, and its answers match it.

use contact_hub_tests::{Answer, Client, with_hub};
use regex_lite::Regex;
use serde_json::{Value, json};

use super::schema::{members, misfits};
use super::served;

/// Calls an operation and fails the test unless the answer is the documented one.
pub(super) async fn call(
    document: &Value,
    client: &Client,
    name: &str,
    path: &str,
    body: &Value,
) -> Answer {
    let (method, template) = name.split_once(' ').expect("a method and a path");
    let operation = &document["paths"][format!("{}{template}", client.interface())][method];
    let mut request = client.request(method.to_uppercase().parse().expect("a method"), path);
    if !body.is_null() {
        request = request.json(body);
    }
    let answer = Answer::of(request).await;
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{name}: {} {}", answer.status, answer.text);
    for (header, shape) in response["headers"].as_object().expect("headers") {
        // The tests' hub has no limits, and these calls have no idempotency key.
        let is_of_limit = header.to_lowercase().contains("ratelimit");
        let is_of_key =
            header == "Idempotent-Replayed" || (answer.status == 409 && header == "Retry-After");
        assert!(is_of_limit || is_of_key || !answer.header(header).is_empty(), "{name} {header}");
        let reference = shape["$ref"].as_str().expect("a reference");
        let shape = document.pointer(reference.trim_start_matches('#')).expect("a header");
        if let Some(pattern) = shape["schema"]["pattern"].as_str() {
            let pattern = Regex::new(pattern).expect("a pattern");
            let value = answer.header(header);
            assert!(pattern.is_match(value), "{name} {header}: {value}");
        }
    }
    let content = response["content"].get("application/json");
    assert_eq!(content.is_some(), !answer.text.is_empty(), "{name}: {}", answer.text);
    if let Some(content) = content {
        let schema = &content["schema"];
        let found = misfits(document, schema, &answer.json, name);
        assert_eq!(found, Vec::<String>::new());
        let known = members(document, schema);
        let sent = answer.json.as_object().expect("an object");
        assert!(sent.keys().all(|member| known.contains(member)), "{name}: {}", answer.text);
    }
    answer
}

/// The example of an operation's body, which must be valid under its schema.
pub(super) fn example(document: &Value, client: &Client, name: &str) -> Value {
    let (method, path) = name.split_once(' ').expect("a method and a path");
    let operation = &document["paths"][format!("{}{path}", client.interface())][method];
    let body = &operation["requestBody"]["content"]["application/json"];
    assert_eq!(misfits(document, &body["schema"], &body["example"], name), Vec::<String>::new());
    body["example"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_examples_are_accepted_and_the_answers_match_it() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        for (name, status) in [
            ("post /fields", 201),
            ("post /contacts", 201),
            ("post /contacts/bulk", 200),
            ("delete /contacts/bulk", 200),
            ("post /contacts/bulk-delete", 200),
            ("post /contacts/lookup", 200),
        ] {
            let path = name.split_once(' ').expect("a path").1;
            let body = example(&document, &client, name);
            let _taken = call(&document, &client, name, path, &body).await.expect(status);
        }
        let contacts = call(&document, &client, "get /contacts", "/contacts", &Value::Null).await;
        let id = contacts.data()[0]["id"].as_str().expect("an id");
        let (name, path) = ("patch /contacts/{id}", format!("/contacts/{id}"));
        let body = example(&document, &client, name);
        let _changed = call(&document, &client, name, &path, &body).await.expect(200);
        let path = format!("/contacts/{id}/field-values");
        let name = "put /contacts/{id}/field-values";
        let body = example(&document, &client, name);
        let _replaced = call(&document, &client, name, &path, &body).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_reads_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        let get = async |name: &str, path: &str| {
            let name = format!("get {name}");
            call(&document, &client, &name, path, &Value::Null).await
        };
        for (name, kind) in [("A", "number"), ("B", "boolean"), ("C", "date"), ("D", "string")] {
            let _key = client.field(name, kind).await;
        }
        let values = json!({"a": 12.5, "b": true, "c": "2026-02-28", "d": ""});
        let body = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee", "field_values": values});
        let created = client.post("/contacts", &body).await.expect(201);
        let id = created.data()["id"].as_str().expect("an id").to_owned();
        let fields = get("/fields", "/fields").await.expect(200);
        for field in fields.data().as_array().expect("fields") {
            let path = format!("/fields/{}/values", field["id"].as_str().expect("an id"));
            let used = get("/fields/{id}/values", &path).await.expect(200);
            assert_eq!(used.json["meta"]["total"], 1);
        }
        for query in ["include=field_values", "page[total]=false", "page[after]=&page[size]=1"] {
            let _listed = get("/contacts", &format!("/contacts?{query}")).await.expect(200);
        }
        let detail = get("/contacts/{id}", &format!("/contacts/{id}")).await.expect(200);
        assert_eq!(detail.data()["field_values"].as_array().map(Vec::len), Some(4));
        let path = format!("/contacts/{id}/field-values");
        let _values = get("/contacts/{id}/field-values", &path).await.expect(200);
        let name = "delete /contacts/{id}";
        let path = format!("/contacts/{id}");
        let _gone = call(&document, &client, name, &path, &Value::Null).await.expect(204);
        let _empty = get("/contacts", "/contacts").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn error_answers_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        let ann = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let rows = json!({"contacts": [ann, {"email": 1}, null]});
        let field = json!({"name": "A", "type": "string"});
        for (name, path, body, status) in [
            ("post /contacts", "/contacts", &ann, 201),
            ("post /contacts", "/contacts", &ann, 409),
            ("post /contacts", "/contacts", &json!({}), 422),
            ("post /fields", "/fields", &field, 201),
            ("post /fields", "/fields", &field, 409),
            ("post /contacts/bulk", "/contacts/bulk", &rows, 200),
            ("get /contacts", "/contacts?page[size]=0", &Value::Null, 422),
            ("get /contacts/{id}", "/contacts/x", &Value::Null, 404),
            ("delete /contacts/{id}", "/contacts/x", &Value::Null, 404),
            ("get /fields/{id}/values", "/fields/x/values", &Value::Null, 404),
        ] {
            let _refused = call(&document, &client, name, path, body).await.expect(status);
        }
        let mut stranger = client.clone();
        stranger.made.token = "none".to_owned();
        let _unknown = call(&document, &stranger, "get /fields", "/fields", &Value::Null)
            .await
            .expect_error(401, "UNAUTHENTICATED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_comparison_is_accepted() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        let contacts = &document["paths"][format!("{}/contacts", client.interface())];
        let parameters = contacts["get"]["parameters"].as_array();
        let parameters = parameters.expect("parameters");
        let operators = parameters.iter().filter_map(|parameter| {
            let name = parameter["name"].as_str()?.strip_suffix("[operator]")?;
            Some((name, parameter["schema"]["enum"].as_array()?))
        });
        let mut count = 0;
        for (filter, operators) in operators {
            for operator in operators.iter().filter_map(Value::as_str) {
                let value =
                    if operator == "between" { "2026-01-01,2026-01-02" } else { "2026-01-01" };
                let operator = operator.replace('=', "%3D");
                let pair = format!("{filter}[operator]={operator}&{filter}[value]={value}");
                for query in [pair, format!("{filter}[{operator}]={value}")] {
                    let _taken = client.get(&format!("/contacts?{query}")).await.expect(200);
                    count += 1;
                }
            }
        }
        assert_eq!(count, 2 * (3 * 12 + 2 * 5));
    })
    .await;
}
