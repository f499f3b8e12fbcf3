//! "Sending twice safely"

use std::time::Duration;

use contact_hub_tests::{Receiver, Reply, TestHub, with_hub};
use serde_json::{Value, json};

use super::front::Front;
use super::{PROGRAMS, printed, program, run};
use crate::support::person;

#[path = "../../../docs/integrating/send.rs"]
mod snippet;

const PATH: &str = "/api/public/v1/contacts";

/// The answer contains this text, but is not the error with this code.
fn mentioning(email: &str) -> Value {
    let mut body = person(email);
    body["first_name"] = "IDEMPOTENCY_KEY_IN_USE".into();
    body
}

fn email(text: &str) -> Value {
    serde_json::from_str::<Value>(text).expect("JSON")["data"]["email"].clone()
}

/// Answers two attempts with errors that may pass. The first one asks for a pause until a date that is past.
async fn busy() -> Receiver {
    Receiver::scripted(|place| match place {
        0 => {
            let head = "Retry-After: Fri, 20 Nov 2026 09:30:00 GMT\r\n".to_owned();
            Reply { head, ..Reply::from(503) }
        }
        1 => Reply::from(408),
        _ => Reply::from(200),
    })
    .await
}

/// There was a pause before each further attempt.
fn assert_attempts(server: &Receiver, language: &str) {
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "{language}");
    for pair in requests.windows(2) {
        let pause = pair[1].at.duration_since(pair[0].at);
        assert!(pause > Duration::from_millis(900), "{language}: {pause:?}");
    }
}

async fn count(hub: &TestHub, key: &str) -> u64 {
    let list = hub.http().get(format!("{}{PATH}", hub.base())).bearer_auth(key);
    let list: Value = list.send().await.expect("an answer").json().await.expect("JSON");
    list["meta"]["total"].as_u64().expect("a total")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_answer_is_lost_is_executed_once() {
    with_hub(async |hub| {
        let key = hub.client().await.made.token.clone();
        let mut expected = 0;
        for language in PROGRAMS {
            let Some(words) = program(&format!("send.{language}")) else { continue };
            let front = Front::before(&hub.base(), 0).await;
            let address = format!("{language}@example.com");
            let send = |body: &Value, key_of_call: &str| {
                let arguments = [PATH, key_of_call];
                let send = || run(&words, &arguments, &front.base(), &key, &body.to_string());
                tokio::task::block_in_place(send)
            };
            assert_eq!(email(&printed(&send(&mentioning(&address), language), 0)), address);
            assert!(front.connections() > 1, "{language}: the first answer was lost");
            let refused = printed(&send(&json!({}), "another"), 1);
            assert!(refused.contains("ValidationError"), "{language}: {refused}");
            expected += 1;
            assert_eq!(count(hub, &key).await, expected);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_snippet_does_the_same() {
    with_hub(async |hub| {
        let key = hub.client().await.made.token.clone();
        let front = Front::before(&hub.base(), 0).await;
        let (url, body) = (front.base() + PATH, mentioning("rs@example.com").to_string());
        let (status, text) = snippet::send(&url, &key, &body, "rs").await.expect("an answer");
        assert_eq!((status, email(&text)), (201, json!("rs@example.com")));
        assert!(front.connections() > 1);
        assert_eq!(count(hub, &key).await, 1);
        let (status, _) = snippet::send(&url, &key, "{}", "another").await.expect("an answer");
        assert_eq!(status, 422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_repeated_after_a_pause() {
    for language in PROGRAMS {
        let Some(words) = program(&format!("send.{language}")) else { continue };
        let (server, arguments) = (busy().await, ["/x", "key"]);
        let base = format!("http://{}", server.address());
        let send = || run(&words, &arguments, &base, "key", "{}");
        assert_eq!(printed(&tokio::task::block_in_place(send), 0), "ok", "{language}");
        assert_attempts(&server, language);
    }
    let server = busy().await;
    let sent = snippet::send(&server.url(), "key", "{}", "key").await.expect("an answer");
    assert_eq!(sent, (200, "ok".to_owned()));
    assert_attempts(&server, "rs");
}
