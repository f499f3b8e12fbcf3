//! A service with a company that has webhooks, an integration and assets to sync.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bench::load::{self, request};
use crate::service::Service;

/// Webhooks may lead to this machine, and nothing that fails is tried again while a measurement runs.
const FLAGS: [&str; 5] = [
    "--webhook-allow-http",
    "--webhook-allow-network=127.0.0.0/8",
    "--webhook-retry-schedule=1h",
    "--database-connections=16",
    "--webhook-concurrency=512",
];

/// A running service and its first company.
pub(super) struct Stage {
    service: Service,
    key: String,
    integration: String,
    _directory: TempDir,
}

impl Stage {
    /// On an empty database: this one of a PostgreSQL, else a new SQLite file.
    pub(super) fn set(database: Option<&str>) -> Result<Self> {
        let directory = TempDir::new()?;
        let file = format!("sqlite://{}", directory.path().join("hub.db").display());
        let database = database.unwrap_or(&file);
        let (service, key) = Service::on_empty("release", directory.path(), database, &FLAGS)?;
        let mut stage = Self { service, key, integration: String::new(), _directory: directory };
        let body =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        stage.integration = stage.create("/integrations", &body)?;
        Ok(stage)
    }

    /// Where it listens.
    pub(super) fn base(&self) -> &str {
        &self.service.base
    }

    /// A new webhook that leads there; its id.
    pub(super) fn webhook(&self, url: &str, enabled: bool) -> Result<String> {
        let body =
            json!({"name": "Bench", "url": url, "events": ["syncRequested"], "enabled": enabled});
        self.create("/webhooks", &body)
    }

    /// Requests of syncs, each of a new asset, as they go over the wire.
    pub(super) fn requests(&self, count: usize) -> Result<Vec<Vec<u8>>> {
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let body = json!({"integration_id": self.integration}).to_string();
        let assets = (0..count).map(|_| {
            let asset = self.create("/assets", &asset)?;
            Ok(request("POST", &path(&format!("/assets/{asset}/syncs")), &self.key, &body))
        });
        assets.collect()
    }

    /// Creates something and gives its id.
    fn create(&self, collection: &str, body: &Value) -> Result<String> {
        let created = self.call("POST", collection, &body.to_string())?;
        let id = created.pointer("/data/id").and_then(Value::as_str);
        id.map(str::to_owned).context("what was created has no id")
    }

    /// A call of the management interface.
    pub(super) fn call(&self, method: &str, rest: &str, body: &str) -> Result<Value> {
        let answer = load::ask(self.base(), &request(method, &path(rest), &self.key, body))?;
        Ok(serde_json::from_slice(&answer)?)
    }

    /// How many deliveries there are in this state.
    pub(super) fn count(&self, state: &str) -> Result<u64> {
        let list = self.call("GET", &format!("/deliveries?page[size]=1&state={state}"), "")?;
        list.pointer("/meta/total").and_then(Value::as_u64).context("a list without a total")
    }

    /// How many statements the service has sent to its database.
    pub(super) fn statements(&self) -> Result<f64> {
        let answer = load::ask(self.base(), &request("GET", "/metrics", &self.key, ""))?;
        let text = String::from_utf8(answer)?;
        let line =
            text.lines().find_map(|line| line.strip_prefix("contact_hub_db_statements_total "));
        Ok(line.context("the service counts no statements")?.parse()?)
    }
}

fn path(rest: &str) -> String {
    format!("/api/manage/v1{rest}")
}
