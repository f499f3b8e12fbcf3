//! "Sending twice safely"

use contact_hub_tests::{TestHub, with_hub};
use serde_json::{Value, json};

use super::front::Front;
use super::{PROGRAMS, printed, program, run};
use crate::support::person;

#[path = "../../../docs/integrating/send.rs"]
mod snippet;

const PATH: &str = "/api/public/v1/contacts";

fn email(text: &str) -> Value {
    serde_json::from_str::<Value>(text).expect("JSON")["data"]["email"].clone()
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
            assert_eq!(email(&printed(&send(&person(&address), language), 0)), address);
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
        let (url, body) = (front.base() + PATH, person("rs@example.com").to_string());
        let (status, text) = snippet::send(&url, &key, &body, "rs").await.expect("an answer");
        assert_eq!((status, email(&text)), (201, json!("rs@example.com")));
        assert!(front.connections() > 1);
        assert_eq!(count(hub, &key).await, 1);
        let (status, _) = snippet::send(&url, &key, "{}", "another").await.expect("an answer");
        assert_eq!(status, 422);
    })
    .await;
}
