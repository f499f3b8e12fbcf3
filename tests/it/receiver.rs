//! The sample receiver with a hub: the starting point of integrators has to work.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use contact_hub_domain::ports::Clock;
use contact_hub_receiver::{Bound, Options, Receiver, Step};
use contact_hub_tests::{Client, TestHub, with_hub};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::until;

const SOON: Duration = Duration::from_secs(10);
const SECRET: &str = "correct horse battery staple";

/// A receiver, and a webhook that sends to it.
struct Desk {
    client: Client,
    webhook: String,
    asset: String,
    integration: String,
    folder: TempDir,
    shown: Arc<Mutex<Vec<Step>>>,
    _receiver: Receiver,
}

impl Desk {
    /// Starts both, with this secret on the receiver's side.
    async fn new(hub: &TestHub, secret: &str, fail: bool) -> Self {
        let client = hub.client().await.manage();
        let bound = Bound::to("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let body = json!({"name": "R", "url": bound.hook(), "secret": SECRET, "events": ["syncRequested"]});
        let webhook = created(&client, "/webhooks", &body).await;
        let body = json!({"name": "P", "asset_types": ["email"], "merge_tag_format": "braze"});
        let integration = created(&client, "/integrations", &body).await;
        let body = json!({"name": "Spring", "type": "email", "subject": "Hi", "html": "<p>{{email}} é</p>"});
        let asset = created(&client, "/assets", &body).await;
        let (shown, folder) = (Arc::<Mutex<Vec<Step>>>::default(), TempDir::new().unwrap());
        let (kept, clock) = (Arc::clone(&shown), hub.clock.clone());
        let options = Options {
            hub: hub.base().parse().unwrap(),
            key: client.made.token.clone(),
            secret: secret.to_owned(),
            folder: folder.path().to_owned(),
            fail,
            now: Arc::new(move || clock.now().micros() / 1_000_000),
            tell: Arc::new(move |step| kept.lock().unwrap().push(step.clone())),
        };
        let receiver = bound.start(options).unwrap();
        Self { client, webhook, asset, integration, folder, shown, _receiver: receiver }
    }

    async fn request(&self) {
        let body = json!({"integration_id": self.integration});
        let path = format!("/assets/{}/syncs", self.asset);
        let _requested = self.client.post(&path, &body).await.expect(202);
    }

    /// The latest sync.
    async fn sync(&self) -> Value {
        let answer = self.client.get(&format!("/assets/{}/syncs", self.asset)).await.expect(200);
        answer.data()[0].clone()
    }

    /// The latest delivery.
    async fn delivery(&self) -> Value {
        self.client.get("/deliveries").await.expect(200).data()[0].clone()
    }

    fn has_reported(&self, words: &str) -> bool {
        self.shown.lock().unwrap().iter().any(|step| step.to_string().contains(words))
    }
}

async fn created(client: &Client, path: &str, body: &Value) -> String {
    client.post(path, body).await.expect(201).data()["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_is_completed_and_repeating_its_event_has_no_effect() {
    with_hub(async |hub| {
        let desk = Desk::new(hub, SECRET, false).await;
        desk.request().await;
        until(SOON, async || desk.has_reported("reported completed")).await;
        let sync = desk.sync().await;
        assert_eq!((&sync["status"], &sync["map_id"]), (&json!("completed"), &json!(desk.asset)));
        let shown = reqwest::get(sync["map_url"].as_str().unwrap()).await.unwrap();
        assert_eq!(shown.text().await.unwrap(), "<p>{{${email_address}}} é</p>");
        let folder = desk.folder.path().join(&desk.integration).join(&desk.asset);
        let text = std::fs::read_to_string(folder.join("content.txt")).unwrap();
        assert_eq!(text, "{{${email_address}}} é");
        let content: Value =
            serde_json::from_slice(&std::fs::read(folder.join("content.json")).unwrap()).unwrap();
        assert_eq!((&content["subject"], &content["platform"]), (&json!("Hi"), &json!("braze")));
        until(SOON, async || desk.delivery().await["state"] == "succeeded").await;
        let path = format!("/deliveries/{}/resend", desk.delivery().await["id"].as_str().unwrap());
        let _again = desk.client.trigger(&path).await.expect(202);
        until(SOON, async || desk.has_reported("is known already")).await;
        desk.request().await;
        until(SOON, async || desk.sync().await["status"] == "completed").await;
        assert_eq!(desk.sync().await["map_id"], sync["map_id"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_reported_and_a_test_is_only_acknowledged() {
    with_hub(async |hub| {
        let desk = Desk::new(hub, SECRET, true).await;
        desk.request().await;
        until(SOON, async || desk.sync().await["status"] == "failed").await;
        assert!(desk.sync().await["error_message"].as_str().unwrap().contains("--fail"));
        let tested = desk.client.trigger(&format!("/webhooks/{}/test", desk.webhook)).await;
        assert_eq!(tested.expect(200).data()["status_code"], 202);
        assert!(desk.has_reported("test webhook"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_refused_until_the_receiver_has_the_correct_secret() {
    with_hub(async |hub| {
        let desk = Desk::new(hub, "another secret, quite long", false).await;
        let test = format!("/webhooks/{}/test", desk.webhook);
        let status =
            async || desk.client.trigger(&test).await.expect(200).data()["status_code"].clone();
        assert_eq!(status().await, 401);
        assert!(desk.has_reported("refused a webhook"));
        let right = json!({"secret": "another secret, quite long"});
        let path = format!("/webhooks/{}", desk.webhook);
        let _changed = desk.client.patch(&path, &right).await.expect(200);
        assert_eq!(status().await, 202);
        // The secret of this receiver is now the previous one.
        let _rotated = desk.client.trigger(&format!("{path}/rotate-secret")).await.expect(200);
        assert_eq!(status().await, 202);
        let _ended = desk.client.delete(&format!("{path}/previous-secrets")).await.expect(204);
        assert_eq!(status().await, 401);
    })
    .await;
}
