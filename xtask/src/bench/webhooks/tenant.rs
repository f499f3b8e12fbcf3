//! A company with webhooks, an integration and assets to sync.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::bench::load::{self, request};

/// A company and its key.
pub(super) struct Tenant {
    base: String,
    key: String,
    integration: String,
}

impl Tenant {
    /// The company of a key; creates an integration.
    pub(super) fn of_key(base: &str, key: String) -> Result<Self> {
        let mut tenant = Self { base: base.to_owned(), key, integration: String::new() };
        let body =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        tenant.integration = tenant.create("/integrations", &body)?;
        Ok(tenant)
    }

    /// The address of the service.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Creates a webhook with this URL; returns its id.
    pub(super) fn webhook(&self, url: &str, enabled: bool) -> Result<String> {
        let body =
            json!({"name": "Bench", "url": url, "events": ["syncRequested"], "enabled": enabled});
        self.create("/webhooks", &body)
    }

    /// Requests of syncs, each of a new asset, as bytes.
    pub(super) fn requests(&self, count: usize) -> Result<Vec<Vec<u8>>> {
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let body = json!({"integration_id": self.integration}).to_string();
        let assets = (0..count).map(|_| {
            let asset = self.create("/assets", &asset)?;
            Ok(request("POST", &path(&format!("/assets/{asset}/syncs")), &self.key, &body))
        });
        assets.collect()
    }

    /// Creates something and returns its id.
    fn create(&self, collection: &str, body: &Value) -> Result<String> {
        let created = self.call("POST", collection, &body.to_string())?;
        let id = created.pointer("/data/id").and_then(Value::as_str);
        id.map(str::to_owned).context("the created object has no id")
    }

    /// A call of the management interface.
    pub(super) fn call(&self, method: &str, rest: &str, body: &str) -> Result<Value> {
        let answer = self.ask(method, &path(rest), body)?;
        if answer.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_slice(&answer)?)
    }

    /// How many deliveries there are in this state.
    pub(super) fn count(&self, state: &str) -> Result<u64> {
        let list = self.call("GET", &format!("/deliveries?page[size]=1&state={state}"), "")?;
        list.pointer("/meta/total").and_then(Value::as_u64).context("a list without a total")
    }

    /// The service's metrics.
    pub(super) fn metrics(&self) -> Result<String> {
        Ok(String::from_utf8(self.ask("GET", "/metrics", "")?)?)
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Result<Vec<u8>> {
        load::ask(&self.base, &request(method, path, &self.key, body))
    }
}

fn path(rest: &str) -> String {
    format!("/api/manage/v1{rest}")
}
