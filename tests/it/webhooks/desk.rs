//! A service in a separate process, with a company whose assets can be synced.

use std::time::Duration;

use contact_hub_tests::{Answer, Receiver, TestDatabase};
use reqwest::Method;
use serde_json::{Value, json};

use super::outbox::{text, webhook_with};
use crate::process::Service;
use crate::support::{execute, until};

pub(crate) const SOON: Duration = Duration::from_secs(20);

/// The service, and the company that uses it.
pub(crate) struct Desk {
    pub(crate) database: TestDatabase,
    pub(crate) service: Service,
    flags: Vec<String>,
    line: Line,
    platform: String,
}

/// Can call the service while it crashes.
#[derive(Clone)]
pub(crate) struct Line {
    http: reqwest::Client,
    base: String,
    key: String,
}

impl Desk {
    /// A company with one webhook that sends to the receiver.
    pub(crate) async fn new(receiver: &Receiver, schedule: &str) -> Self {
        Self::with(receiver, schedule, &[]).await
    }

    /// The same with more flags.
    pub(crate) async fn with(receiver: &Receiver, schedule: &str, more: &[&str]) -> Self {
        let database = TestDatabase::empty();
        let fixed = ["--rate-limit-standard", "0", "--webhook-allow-http"];
        let receivers = ["--webhook-allow-network", "127.0.0.0/8"];
        let retries = ["--webhook-retry-schedule", schedule];
        let flags = [fixed.as_slice(), &receivers, &retries, more].concat();
        let flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
        let mut service = serve(&database, &flags);
        let key = service.bootstrap_key();
        let line = Line { http: reqwest::Client::new(), base: service.base.clone(), key };
        let mut desk = Self { database, service, flags, line, platform: String::new() };
        desk.webhook(receiver).await;
        let platform =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        desk.platform =
            text(&desk.call("POST", "/integrations", &platform).await.expect(201), "id");
        desk
    }

    /// Creates another webhook that sends to the receiver; returns its id.
    pub(crate) async fn webhook(&self, receiver: &Receiver) -> String {
        let webhook = webhook_with("url", receiver.url());
        text(&self.call("POST", "/webhooks", &webhook).await.expect(201), "id")
    }

    /// Creates an asset; returns its id.
    pub(crate) async fn asset(&self) -> String {
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        text(&self.call("POST", "/assets", &asset).await.expect(201), "id")
    }

    /// Requests the sync of a new asset.
    pub(crate) async fn request_sync(&self) {
        let asset = self.asset().await;
        let body = json!({"integration_id": self.platform});
        let _sync = self.call("POST", &format!("/assets/{asset}/syncs"), &body).await.expect(202);
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value) -> Answer {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        Answer::of(self.line.request(method, path).json(body)).await
    }

    /// A call of the contacts interface.
    pub(crate) fn contacts(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/api/public/v1{path}", self.line.base);
        self.line.http.request(method, url).bearer_auth(&self.line.key)
    }

    /// How many deliveries there are in this state.
    pub(crate) async fn count(&self, state: &str) -> u64 {
        let path = format!("/deliveries?page[size]=1&state={state}");
        let answer = self.call("GET", &path, &Value::Null).await.expect(200);
        answer.json["meta"]["total"].as_u64().expect("a number")
    }

    /// The one delivery, once it is in this state.
    pub(crate) async fn delivery(&self, state: &str) -> Value {
        let of_state = async || self.call("GET", "/deliveries", &Value::Null).await.expect(200);
        until(SOON, async || of_state().await.data()[0]["state"] == state).await;
        let id = of_state().await.data()[0]["id"].as_str().expect("an id").to_owned();
        let answer = self.call("GET", &format!("/deliveries/{id}"), &Value::Null).await;
        answer.expect(200).data().clone()
    }

    /// The company's line and integration.
    pub(crate) fn line(&self) -> (Line, String) {
        (self.line.clone(), self.platform.clone())
    }

    /// Another instance of the service on the same database.
    pub(crate) fn second(&self) -> Service {
        serve(&self.database, &self.flags)
    }

    pub(crate) fn crash(&mut self) {
        self.service.signal("KILL");
        self.service.wait();
    }

    pub(crate) fn restart(&mut self) {
        self.service = self.second();
        self.line.base.clone_from(&self.service.base);
    }

    /// Makes the leases expire that a crash has left.
    pub(crate) fn end_leases(&self) {
        let earlier = if self.database.is_postgres() { "interval '1 minute'" } else { "60000000" };
        let text = format!("UPDATE delivery_leases SET until = until - {earlier}");
        execute(&self.database, &text);
    }
}

impl Line {
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/api/manage/v1{path}", self.base);
        self.http.request(method, url).bearer_auth(&self.key)
    }

    /// Requests the sync of an asset; its id when it was accepted, `None` if the service did not answer.
    pub(crate) async fn request_sync(&self, asset: &str, platform: &str) -> Option<String> {
        let path = format!("/assets/{asset}/syncs");
        let request = self.request(Method::POST, &path).json(&json!({"integration_id": platform}));
        let answer = request.send().await.ok()?;
        let (status, body) = (answer.status().as_u16(), answer.text().await.ok()?);
        assert_eq!(status, 202, "{body}");
        let body: Value = serde_json::from_str(&body).expect("JSON");
        body["data"]["id"].as_str().map(str::to_owned)
    }
}

fn serve(database: &TestDatabase, flags: &[String]) -> Service {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Service::serve(database, &flags)
}
