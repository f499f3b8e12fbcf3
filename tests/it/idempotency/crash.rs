//! The service is killed while calls with keys are in progress; repeating them has the same result as sending them once.

use std::time::Duration;

use contact_hub_tests::{Answer, TestDatabase};
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::REPLAYED;
use crate::process::Service;
use crate::support::{person, until};

const FLAGS: [&str; 2] = ["--rate-limit-standard", "0"];

fn create(base: &str, token: &str, email: &str) -> reqwest::RequestBuilder {
    let request = reqwest::Client::new().post(format!("{base}/api/public/v1/contacts"));
    request.bearer_auth(token).header("Idempotency-Key", email).json(&person(email))
}

async fn count(service: &Service, token: &str) -> Value {
    let list = service.call("GET", "/contacts", token, None).await.expect(200);
    list.json["meta"]["total"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn repeating_a_call_whose_answer_was_lost_in_a_crash_returns_the_answer() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &FLAGS);
    let token = service.bootstrap_key();
    let email = "ann@example.com";
    let body = person(email).to_string();
    let request = format!(
        "POST /api/public/v1/contacts HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer {token}\r\n\
         Idempotency-Key: {email}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let address = service.base.trim_start_matches("http://");
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    connection.write_all(request.as_bytes()).await.expect("it is sent");
    until(Duration::from_secs(20), async || count(&service, &token).await == 1).await;
    service.signal("KILL");
    service.wait();
    drop(connection);
    let service = Service::serve(&database, &FLAGS);
    let url = service.base.clone();
    let again = Answer::of(
        reqwest::Client::new()
            .post(format!("{url}/api/public/v1/contacts"))
            .bearer_auth(&token)
            .header("Idempotency-Key", email)
            .header("Content-Type", "application/json")
            .body(body),
    );
    let again = again.await.expect(201);
    assert_eq!((again.header(REPLAYED), &again.data()["email"]), ("true", &email.into()));
    assert_eq!(count(&service, &token).await, 1);
}

/// Creates contacts one after the other until the service is down; returns the emails that were sent.
async fn create_until_gone(base: String, token: String, who: String) -> Vec<String> {
    let mut sent = Vec::new();
    for n in 0.. {
        let email = format!("{who}-{n}@example.com");
        let answer = create(&base, &token, &email).send().await;
        sent.push(email);
        if answer.is_err() {
            break;
        }
    }
    sent
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_every_repeated_call_is_executed_once() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &FLAGS);
    let token = service.bootstrap_key();
    let mut all = 0;
    for round in 0..4_u32 {
        let clients = (0..8).map(|client| {
            let who = format!("p{round}-{client}");
            tokio::spawn(create_until_gone(service.base.clone(), token.clone(), who))
        });
        let clients: Vec<_> = clients.collect();
        tokio::time::sleep(Duration::from_millis(100 + u64::from(round) * 70)).await;
        service.signal("KILL");
        service.wait();
        let mut sent = Vec::new();
        for client in clients {
            sent.extend(client.await.expect("it ends"));
        }
        service = Service::serve(&database, &FLAGS);
        for email in &sent {
            let answer = Answer::of(create(&service.base, &token, email)).await.expect(201);
            assert_eq!(answer.data()["email"], *email);
        }
        all += sent.len();
        assert_eq!(count(&service, &token).await, all);
    }
}
