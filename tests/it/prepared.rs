//! A prepared call of every operation that writes; each call succeeds once.

use contact_hub_tests::{Answer, Client, TestHub};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{created, person};
use crate::sync::sample::{self, Setting, completed, email, id, integration, setting};

/// What a successful call or form leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// An entry of the audit.
    InAudit,
    /// Only an entry of the feed: it changes one contact, or a sync.
    InFeed,
    /// It only reads.
    Nothing,
}

/// A call that succeeds.
pub(crate) struct Call {
    /// Its method and path in the document.
    pub(crate) operation: &'static str,
    path: String,
    pub(crate) body: Value,
    pub(crate) leaves: Leaves,
}

impl Call {
    /// A call that leaves an entry in the audit. The ids replace the path parameters in order.
    fn new(operation: &'static str, ids: &[&str], body: Value) -> Self {
        let (_, pattern) = operation.split_once(' ').unwrap();
        let path = path(pattern, ids);
        Self { operation, path, body, leaves: Leaves::InAudit }
    }

    fn leaving(self, leaves: Leaves) -> Self {
        Self { leaves, ..self }
    }

    /// Whether its path contains an id.
    pub(crate) fn has_id(&self) -> bool {
        self.operation.contains('{')
    }

    /// The request of a client, without its body.
    pub(crate) fn request(&self, hub: &TestHub, client: &Client) -> RequestBuilder {
        let (method, _) = self.operation.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = hub.http().request(method, format!("{}{}", hub.base(), self.path));
        request.bearer_auth(&client.made.token)
    }

    pub(crate) async fn send(&self, hub: &TestHub, client: &Client) -> Answer {
        let request = self.request(hub, client);
        Answer::of(if self.body.is_null() { request } else { request.json(&self.body) }).await
    }
}

/// The path of a pattern, with its parameters replaced by the ids in order.
pub(crate) fn path(pattern: &str, ids: &[&str]) -> String {
    let mut ids = ids.iter();
    let part = |part: &str| {
        let is_parameter = part.starts_with('{');
        if is_parameter { (*ids.next().unwrap()).to_owned() } else { part.to_owned() }
    };
    pattern.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// A call of every operation that writes, and the client that can make it.
pub(crate) async fn calls(hub: &TestHub) -> (Setting, Vec<Call>) {
    let setting = setting(hub.client().await, &[500]).await;
    let mut calls = contacts(&setting.client).await;
    calls.extend(syncs(&setting).await);
    calls.extend(webhooks(&setting).await);
    calls.extend(access(&setting.client).await);
    (setting, calls)
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
