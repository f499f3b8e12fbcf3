//! Headers that every answer has.

use contact_hub_tests::{Answer, with_hub};
use reqwest::Method;
use reqwest::header::HeaderValue;
use uuid::Uuid;

use super::addresses;
use crate::support::{created, person, without_key};

#[tokio::test(flavor = "multi_thread")]
async fn a_valid_request_id_of_the_caller_is_returned() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let longest = "x".repeat(128);
        for id in ["a", "0", ".", "_", "-", "Az.09_-", &longest] {
            for path in ["/fields", "/contacts/no-id", "/nothing"] {
                let request = client.request(Method::GET, path).header("X-Request-Id", id);
                assert_eq!(Answer::of(request).await.header("x-request-id"), id, "{path}");
            }
            let request = without_key(hub, Method::GET, "/fields").header("X-Request-Id", id);
            assert_eq!(Answer::of(request).await.header("x-request-id"), id);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_request_id_is_replaced_by_a_new_one() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let too_long = "x".repeat(129);
        let mut seen = Vec::new();
        for id in ["", "a b", "a/b", "a,b", "{a}", "a\"", "ü", &too_long] {
            let value = HeaderValue::from_bytes(id.as_bytes()).unwrap();
            let request = client.request(Method::GET, "/fields").header("X-Request-Id", value);
            let answer = Answer::of(request).await.expect(200);
            let input = answer.header("x-request-id");
            assert!(Uuid::try_parse(input).is_ok(), "{id} became {input}");
            seen.push(input.to_owned());
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 8);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_one_request_id() {
    with_hub(async |hub| {
        for (path, _) in addresses() {
            for method in [Method::GET, Method::POST, Method::OPTIONS, Method::TRACE] {
                let request = hub.http().request(method, format!("{}{path}", hub.base()));
                let answer = Answer::of(request).await;
                let ids: Vec<_> = answer.headers.get_all("x-request-id").iter().collect();
                assert_eq!(ids.len(), 1, "{path}");
                assert!(Uuid::try_parse(answer.header("x-request-id")).is_ok(), "{path}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_with_data_or_an_error_is_json_that_must_not_be_cached() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let answers = [
            client.get("/fields").await.expect(200),
            client.get(&format!("/contacts/{id}")).await.expect(200),
            client.get("/contacts/no-id").await.expect(404),
            client.get("/nothing").await.expect(404),
            client.post("/contacts", &person("ann@example.com")).await.expect(409),
            client.post("/contacts", &person("ann")).await.expect(422),
            client.put("/fields", &person("ann")).await.expect(405),
            Answer::of(without_key(hub, Method::GET, "/fields")).await.expect(401),
        ];
        for answer in answers {
            assert!(answer.header("content-type").starts_with("application/json"));
            assert_eq!(answer.header("cache-control"), "private, no-store", "{}", answer.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_origin_is_allowed() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for method in [Method::GET, Method::OPTIONS] {
            let request = client
                .request(method, "/fields")
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "GET");
            let answer = Answer::of(request).await;
            let names = answer.headers.keys().map(reqwest::header::HeaderName::as_str);
            assert!(!names.into_iter().any(|name| name.starts_with("access-control-")));
        }
    })
    .await;
}
