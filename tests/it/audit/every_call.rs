//! Every call that changes something leaves an entry with its request id.

use std::collections::BTreeSet;

use contact_hub_tests::{Answer, Client, TestHub, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::Leaves;
use crate::support::{created, get, person};
use crate::sync::sample::{self, Setting, completed, email, id, integration, setting};

/// A call that succeeds: its operation in the document, its path, its body, and what it leaves.
struct Call {
    operation: &'static str,
    path: String,
    body: Value,
    leaves: Leaves,
}

impl Call {
    /// A call that leaves an entry in the audit. The ids replace the parameters of the path in turn.
    fn new(operation: &'static str, ids: &[&str], body: Value) -> Self {
        let (_, pattern) = operation.split_once(' ').unwrap();
        let mut ids = ids.iter();
        let part = |part: &str| {
            let is_parameter = part.starts_with('{');
            if is_parameter { (*ids.next().unwrap()).to_owned() } else { part.to_owned() }
        };
        let path = pattern.split('/').map(part).collect::<Vec<_>>().join("/");
        Self { operation, path, body, leaves: Leaves::InAudit }
    }

    fn leaving(self, leaves: Leaves) -> Self {
        Self { leaves, ..self }
    }

    async fn send(&self, hub: &TestHub, client: &Client) -> Answer {
        let (method, _) = self.operation.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = hub.http().request(method, format!("{}{}", hub.base(), self.path));
        let request = request.bearer_auth(&client.made.token);
        Answer::of(if self.body.is_null() { request } else { request.json(&self.body) }).await
    }
}

/// Every operation of the document that writes.
async fn operations(hub: &TestHub) -> BTreeSet<String> {
    let document = get(hub, "/openapi.json").await.expect(200).json;
    let mut operations = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if ["post", "put", "patch", "delete"].contains(&method.as_str()) {
                operations.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    operations
}

async fn contacts(client: &Client) -> Vec<Call> {
    let field = client.post("/fields", &json!({"name": "Team", "type": "string"})).await;
    let field = id(&field.expect(201));
    let mut ids = Vec::new();
    for name in ["changed", "deleted", "valued", "in-bulk", "by-proxy", "erased"] {
        ids.push(created(client, &person(&format!("{name}@example.com"))).await);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let new = json!({"name": "Size", "type": "number"});
    let values = json!({"field_values": {"team": "red"}});
    let (one, bulk) = (person("one@example.com"), json!({"contacts": [person("b@example.com")]}));
    vec![
        Call::new("POST /api/public/v1/fields", &[], new),
        Call::new("PATCH /api/public/v1/fields/{id}", &[&field], json!({"name": "Side"})),
        Call::new("POST /api/public/v1/contacts", &[], one).leaving(Leaves::InFeed),
        Call::new("PATCH /api/public/v1/contacts/{id}", &ids[..1], json!({"first_name": "Bo"}))
            .leaving(Leaves::InFeed),
        Call::new("DELETE /api/public/v1/contacts/{id}", &ids[1..], Value::Null),
        Call::new("PUT /api/public/v1/contacts/{id}/field-values", &ids[2..], values)
            .leaving(Leaves::InFeed),
        Call::new("POST /api/public/v1/contacts/bulk", &[], bulk),
        Call::new("DELETE /api/public/v1/contacts/bulk", &[], json!({"ids": [ids[3]]})),
        Call::new("POST /api/public/v1/contacts/bulk-delete", &[], json!({"ids": [ids[4]]})),
        Call::new("POST /api/public/v1/contacts/lookup", &[], json!({"ids": ["x"]}))
            .leaving(Leaves::Nothing),
        Call::new("POST /api/manage/v1/contacts/{id}/erase", &ids[5..], json!({"block": true})),
        Call::new("POST /api/manage/v1/erasures/unblock", &[], json!({"email": "a@example.com"})),
    ]
}

async fn syncs(setting: &Setting) -> Vec<Call> {
    let client = &setting.client;
    let other_asset = sample::created(client, "/assets", &email()).await;
    let other = sample::created(client, "/integrations", &integration()).await;
    let request = json!({"integration_id": setting.integration});
    let rename = json!({"name": "Other"});
    vec![
        Call::new("POST /api/manage/v1/assets", &[], email()),
        Call::new("PATCH /api/manage/v1/assets/{id}", &[&setting.asset], rename.clone()),
        Call::new("DELETE /api/manage/v1/assets/{id}", &[&other_asset], Value::Null),
        Call::new("POST /api/manage/v1/assets/{id}/syncs", &[&setting.asset], request)
            .leaving(Leaves::InFeed),
        Call::new("PATCH /api/published/v1/sync-status/{id}", &[&setting.asset], completed("1"))
            .leaving(Leaves::InFeed),
        Call::new("POST /api/manage/v1/integrations", &[], integration()),
        Call::new("PATCH /api/manage/v1/integrations/{id}", &[&setting.integration], rename),
        Call::new("DELETE /api/manage/v1/integrations/{id}", &[&other], Value::Null),
    ]
}

async fn webhooks(setting: &Setting) -> Vec<Call> {
    let manage = setting.client.manage();
    let url = setting.receiver.url();
    let hook = sample::webhook(&setting.client, &url).await;
    let other = sample::webhook(&setting.client, &url).await;
    let _tested = manage.trigger(&format!("/webhooks/{hook}/test")).await.expect(200);
    let deliveries = manage.get("/deliveries").await.expect(200);
    let delivery = deliveries.data()[0]["id"].as_str().unwrap().to_owned();
    let new = json!({"name": "Hook", "url": url, "events": ["syncRequested"]});
    let since = json!({"webhook_id": hook, "since": "2026-01-01T00:00:00Z"});
    vec![
        Call::new("POST /api/manage/v1/webhooks", &[], new),
        Call::new("PATCH /api/manage/v1/webhooks/{id}", &[&hook], json!({"name": "Other"})),
        Call::new("DELETE /api/manage/v1/webhooks/{id}", &[&other], Value::Null),
        Call::new("POST /api/manage/v1/webhooks/{id}/rotate-secret", &[&hook], Value::Null),
        Call::new("DELETE /api/manage/v1/webhooks/{id}/previous-secrets", &[&hook], Value::Null),
        Call::new("POST /api/manage/v1/webhooks/{id}/test", &[&hook], Value::Null),
        Call::new("POST /api/manage/v1/deliveries/{id}/resend", &[&delivery], Value::Null),
        Call::new("POST /api/manage/v1/deliveries/recover", &[], since),
    ]
}

async fn access(client: &Client) -> Vec<Call> {
    let user = |name: &str| json!({"email": format!("{name}@acme.example"), "permissions": []});
    let changed = sample::created(client, "/users", &user("changed")).await;
    let deleted = sample::created(client, "/users", &user("deleted")).await;
    let keys = format!("/users/{changed}/api-keys");
    let key = sample::created(client, &keys, &json!({"name": "CI"})).await;
    let change = json!({"permissions": ["publish"]});
    vec![
        Call::new("POST /api/manage/v1/users", &[], user("new")),
        Call::new("PATCH /api/manage/v1/users/{id}", &[&changed], change),
        Call::new("DELETE /api/manage/v1/users/{id}", &[&deleted], Value::Null),
        Call::new("POST /api/manage/v1/users/{id}/api-keys", &[&changed], json!({})),
        Call::new(
            "DELETE /api/manage/v1/users/{id}/api-keys/{key_id}",
            &[&changed, &key],
            Value::Null,
        ),
        Call::new("PATCH /api/manage/v1/company", &[], json!({"name": "Other"})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_that_changes_something_leaves_an_entry() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[500]).await;
        let client = setting.client.clone();
        let mut calls = contacts(&client).await;
        calls.extend(syncs(&setting).await);
        calls.extend(webhooks(&setting).await);
        calls.extend(access(&client).await);
        let called: BTreeSet<String> = calls.iter().map(|it| it.operation.to_owned()).collect();
        let operations = operations(hub).await;
        let others: Vec<_> = called.symmetric_difference(&operations).collect();
        assert!(others.is_empty(), "each needs a call here, or is gone: {others:?}");
        for call in &calls {
            let answer = call.send(hub, &client).await;
            assert!(answer.status < 300, "{}: {}", call.operation, answer.text);
            call.leaves.check(&client, call.operation, answer.header("x-request-id")).await;
        }
    })
    .await;
}
