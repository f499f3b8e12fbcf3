//! Answers about the change feed, the audit, erasures and changes of fields match the document.

use contact_hub_tests::{Answer, with_hub};
use serde_json::{Value, json};

use super::answers::{call, example};
use super::served;
use crate::support::{created, person};
use crate::sync::sample::id;

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_the_feed_and_the_audit_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await.manage(), served(hub).await);
        let _field = hub.client().await.field("Team", "string").await;
        for (name, path, status) in [
            ("get /changes", "/changes", 200),
            ("get /changes", "/changes?type[]=field.created&page[size]=1000", 200),
            ("get /changes", "/changes?after=x", 422),
            ("get /audit", "/audit", 200),
            ("get /audit", "/audit?page[after]=x", 422),
        ] {
            let _taken = call(&document, &client, name, path, &Value::Null).await.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_erasures_match_the_document() {
    with_hub(async |hub| {
        let (contacts, document) = (hub.client().await, served(hub).await);
        let client = contacts.manage();
        let ann = created(&contacts, &person("ann@example.com")).await;
        let (name, path) = ("get /contacts/{id}/everything", format!("/contacts/{ann}/everything"));
        let _known = call(&document, &client, name, &path, &Value::Null).await.expect(200);
        let (name, path) = ("post /contacts/{id}/erase", format!("/contacts/{ann}/erase"));
        let body = example(&document, &client, name);
        for (body, status) in [(json!({"block": 1}), 422), (body.clone(), 204), (body, 404)] {
            let _taken = call(&document, &client, name, &path, &body).await.expect(status);
        }
        let name = "post /erasures/unblock";
        let body = example(&document, &client, name);
        for (body, status) in [(body, 204), (json!({}), 422)] {
            let path = "/erasures/unblock";
            let _taken = call(&document, &client, name, path, &body).await.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_changes_of_fields_match_the_document() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        let field = client.post("/fields", &json!({"name": "Team", "type": "string"})).await;
        let (name, path) = ("patch /fields/{id}", format!("/fields/{}", id(&field.expect(201))));
        let body = example(&document, &client, name);
        for (path, body, status) in [
            (path.as_str(), &body, 200),
            (path.as_str(), &json!({"archived": 1}), 422),
            ("/fields/x", &body, 404),
        ] {
            let _taken = call(&document, &client, name, path, body).await.expect(status);
        }
        for path in ["/fields", "/fields?archived=true", "/fields?archived=x"] {
            let status = if path.ends_with('x') { 422 } else { 200 };
            let listed = call(&document, &client, "get /fields", path, &Value::Null).await;
            let _listed = listed.expect(status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_the_documented_types() {
    with_hub(async |hub| {
        let (client, document) = (hub.client().await, served(hub).await);
        let _ann = created(&client, &person("ann@example.com")).await;
        let path = format!("{}/contacts/export", client.interface());
        let responses = &document["paths"][path]["get"]["responses"];
        let documented = responses["200"]["content"].as_object().expect("types");
        assert_eq!(documented.len(), 2);
        for kind in documented.keys() {
            let request = client.request(reqwest::Method::GET, "/contacts/export");
            let answer = Answer::of(request.header("Accept", kind)).await.expect(200);
            assert!(answer.header("content-type").starts_with(kind.as_str()), "{kind}");
        }
        let request = client.request(reqwest::Method::GET, "/contacts/export");
        let refused = Answer::of(request.header("Accept", "image/png")).await;
        refused.expect_error(406, "NOT_ACCEPTABLE");
        assert!(responses["406"].is_object());
    })
    .await;
}
