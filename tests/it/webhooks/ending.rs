//! Deliveries outlive the process that sends them.

use std::collections::BTreeSet;
use std::time::Duration;

use contact_hub_tests::{Answer, Receiver, Reply, TestDatabase};
use serde_json::{Value, json};

use super::outbox::{text, webhook_with};
use crate::process::Service;
use crate::support::{execute, until};

const SOON: Duration = Duration::from_secs(20);

/// A service with a company whose asset can be synced.
struct Desk {
    database: TestDatabase,
    service: Service,
    flags: Vec<&'static str>,
    key: String,
}

impl Desk {
    async fn new(receiver: &Receiver, schedule: &'static str) -> Self {
        let database = TestDatabase::empty();
        let flags = vec![
            "--rate-limit-standard",
            "0",
            "--webhook-allow-http",
            "--webhook-allow-network",
            "127.0.0.0/8",
            "--webhook-retry-schedule",
            schedule,
        ];
        let mut service = Service::serve(&database, &flags);
        let key = service.bootstrap_key();
        let desk = Self { database, service, flags, key };
        let webhook = webhook_with("url", receiver.url());
        let _webhook = desk.call("POST", "/webhooks", &webhook).await.expect(201);
        desk
    }

    async fn call(&self, method: &str, path: &str, body: &Value) -> Answer {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let url = format!("{}/api/manage/v1{path}", self.service.base);
        let request = reqwest::Client::new().request(method, url).bearer_auth(&self.key);
        Answer::of(request.json(body)).await
    }

    async fn request_sync(&self) {
        let asset = json!({"name": "Sale", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let asset = text(&self.call("POST", "/assets", &asset).await.expect(201), "id");
        let platform =
            json!({"name": "Platform", "asset_types": ["email"], "merge_tag_format": "liquid"});
        let platform = text(&self.call("POST", "/integrations", &platform).await.expect(201), "id");
        let body = json!({"integration_id": platform});
        let _sync = self.call("POST", &format!("/assets/{asset}/syncs"), &body).await.expect(202);
    }

    fn restart(&mut self) {
        self.service = Service::serve(&self.database, &self.flags);
    }

    /// The one delivery, once it is in this state.
    async fn delivery(&self, state: &str) -> Value {
        let of_state = async || self.call("GET", "/deliveries", &Value::Null).await.expect(200);
        until(SOON, async || of_state().await.data()[0]["state"] == state).await;
        let id = of_state().await.data()[0]["id"].as_str().expect("an id").to_owned();
        let answer = self.call("GET", &format!("/deliveries/{id}"), &Value::Null).await;
        answer.expect(200).data().clone()
    }
}

fn ids(receiver: &Receiver) -> BTreeSet<String> {
    receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crash_leaves_is_delivered_after_it_under_its_number() {
    let receiver = Receiver::scripted(|place| match place {
        0 => Reply { after: Duration::from_secs(60), ..Reply::from(200) },
        _ => Reply::from(200),
    })
    .await;
    let mut desk = Desk::new(&receiver, "1s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 1).await;
    desk.service.signal("KILL");
    desk.service.wait();
    // Time passes until the lease ends.
    let earlier = if desk.database.is_postgres() { "interval '1 minute'" } else { "60000000" };
    execute(&desk.database, &format!("UPDATE deliveries SET due_at = due_at - {earlier}"));
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    assert_eq!(delivery["attempts"].as_array().expect("attempts").len(), 1);
    assert_eq!(delivery["attempts"][0]["number"], 1);
    assert_eq!((receiver.count(), ids(&receiver).len()), (2, 1));
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_count_of_attempts() {
    let receiver = Receiver::start(&[500, 503, 200]).await;
    let mut desk = Desk::new(&receiver, "100ms,3s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 2).await;
    desk.delivery("retrying").await;
    desk.service.stop();
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    let numbers: Vec<&Value> =
        delivery["attempts"].as_array().expect("attempts").iter().map(|it| &it["number"]).collect();
    assert_eq!(numbers, [&json!(1), &json!(2), &json!(3)]);
    assert_eq!((receiver.count(), ids(&receiver).len()), (3, 1));
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_runs_when_the_service_stops_is_let_end_and_recorded() {
    let slow = |_place| Reply { after: Duration::from_secs(2), ..Reply::from(200) };
    let receiver = Receiver::scripted(slow).await;
    let mut desk = Desk::new(&receiver, "1s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 1).await;
    desk.service.stop();
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    assert_eq!((&delivery["attempt_count"], receiver.count()), (&json!(1), 1));
    desk.service.stop();
}
