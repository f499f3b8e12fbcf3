//! Helpers of the tests of syncs.

use contact_hub_tests::{Answer, Client, Received, Receiver};
use serde_json::{Value, json};

use crate::support::until;

/// An id that does not exist.
pub(crate) const NOTHING: &str = "01931e3a-7c00-7000-8000-000000000000";

/// The smallest body that creates an asset.
pub(crate) fn email() -> Value {
    json!({"name": "Spring", "type": "email", "html": "<p>Hi {{first_name}}</p>", "subject": "Hello"})
}

/// The smallest body with one property set to something else.
pub(crate) fn email_with(name: &str, value: impl Into<Value>) -> Value {
    let mut body = email();
    body[name] = value.into();
    body
}

/// The smallest body that creates an asset that is not an email.
pub(crate) fn landing_page() -> Value {
    json!({"name": "Welcome", "type": "landing_page", "html": "<h1>Welcome</h1>"})
}

/// The smallest body that creates an integration.
pub(crate) fn integration() -> Value {
    json!({"name": "Ours", "asset_types": ["email"], "merge_tag_format": "marketo"})
}

/// The smallest body with one property set to something else.
pub(crate) fn integration_with(name: &str, value: impl Into<Value>) -> Value {
    let mut body = integration();
    body[name] = value.into();
    body
}

/// The id in an answer.
pub(crate) fn id(answer: &Answer) -> String {
    answer.data()["id"].as_str().expect("an id").to_owned()
}

/// Creates something below the path and returns its id.
pub(crate) async fn created(client: &Client, path: &str, body: &Value) -> String {
    id(&client.manage().post(path, body).await.expect(201))
}

/// Creates a webhook that receives the requests, and returns its id.
pub(crate) async fn webhook(client: &Client, url: &str) -> String {
    let body = json!({"name": "Ours", "url": url, "events": ["syncRequested"]});
    created(client, "/webhooks", &body).await
}

/// An asset that can be synced: a client, the asset's id, an integration's id, and the receiver.
pub(crate) struct Setting {
    pub(crate) client: Client,
    pub(crate) asset: String,
    pub(crate) integration: String,
    pub(crate) receiver: Receiver,
}

/// Everything that a request needs; the receiver answers with these statuses.
pub(crate) async fn setting(client: Client, statuses: &[u16]) -> Setting {
    let receiver = Receiver::start(statuses).await;
    webhook(&client, &receiver.url()).await;
    let asset = created(&client, "/assets", &email()).await;
    let integration = created(&client, "/integrations", &integration()).await;
    Setting { client, asset, integration, receiver }
}

impl Setting {
    /// Requests a sync to an integration.
    pub(crate) async fn ask(&self, integration: &str) -> Answer {
        let path = format!("/assets/{}/syncs", self.asset);
        self.client.manage().post(&path, &json!({"integration_id": integration})).await
    }

    /// Requests a sync and returns its id.
    pub(crate) async fn requested(&self) -> String {
        id(&self.ask(&self.integration).await.expect(202))
    }

    /// Reports a result.
    pub(crate) async fn report(&self, body: &Value) -> Answer {
        self.client.published().patch(&format!("/sync-status/{}", self.asset), body).await
    }

    /// The syncs, newest first.
    pub(crate) async fn syncs(&self) -> Vec<Value> {
        let answer = self.client.manage().get(&format!("/assets/{}/syncs", self.asset)).await;
        answer.expect(200).data().as_array().expect("syncs").clone()
    }

    /// The asset as it is now.
    pub(crate) async fn asset(&self) -> Value {
        let answer = self.client.manage().get(&format!("/assets/{}", self.asset)).await;
        answer.expect(200).data().clone()
    }

    /// The states of all deliveries, newest first.
    pub(crate) async fn deliveries(&self) -> Vec<String> {
        let answer = self.client.manage().get("/deliveries").await.expect(200);
        let rows = answer.data().as_array().expect("deliveries").clone();
        rows.iter().map(|row| row["state"].as_str().expect("a state").to_owned()).collect()
    }

    /// Waits for this many events, and returns the last one with its payload.
    pub(crate) async fn received(&self, count: usize) -> (Received, Value) {
        let soon = std::time::Duration::from_secs(10);
        until(soon, async || self.receiver.requests().len() >= count).await;
        let request = self.receiver.requests()[count - 1].clone();
        let payload = serde_json::from_str(&request.body).expect("JSON");
        (request, payload)
    }
}

/// A report of success.
pub(crate) fn completed(map_id: &str) -> Value {
    let url = format!("https://platform.example/{map_id}");
    json!({"status": "completed", "map_id": map_id, "map_url": url})
}

/// A report of failure.
pub(crate) fn failed(message: &str) -> Value {
    json!({"status": "failed", "error_message": message})
}
