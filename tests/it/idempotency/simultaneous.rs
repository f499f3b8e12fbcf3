//! Several calls with one key at the same time, at one and at two instances.

use contact_hub_tests::{Answer, Client, with_hub};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{REPLAYED, post};
use crate::support::{person, second_hub};

const CALLS: usize = 16;

/// Fails the test unless exactly one of the answers is new, and the others repeat it or say that it is in progress.
#[track_caller]
fn assert_once(answers: &[Answer], status: u16) -> &Answer {
    let is_new = |answer: &&Answer| answer.status == status && answer.header(REPLAYED).is_empty();
    let new: Vec<&Answer> = answers.iter().filter(is_new).collect();
    assert_eq!(new.len(), 1, "{:?}", answers.iter().map(|it| it.status).collect::<Vec<_>>());
    for answer in answers.iter().filter(|answer| !is_new(answer)) {
        if answer.status == status {
            assert_eq!(answer.text, new[0].text);
        } else {
            let answer = answer.clone().expect_error(409, "IDEMPOTENCY_KEY_IN_USE");
            assert_eq!(answer.header("retry-after"), "1");
        }
    }
    new[0]
}

async fn total(client: &Client) -> Value {
    client.get("/contacts").await.expect(200).json["meta"]["total"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_concurrent_calls_are_executed_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for round in 0..5 {
            let body = person(&format!("p{round}@example.com"));
            let key = format!("create-{round}");
            let calls = (0..CALLS).map(|_| post(&client, "/contacts", &key, &body));
            let answers = join_all(calls).await;
            let first = assert_once(&answers, 201);
            let again = post(&client, "/contacts", &key, &body).await;
            assert_eq!((&again.text, again.header(REPLAYED)), (&first.text, "true"));
            assert_eq!(total(&client).await, round + 1);
        }
        let manage = client.manage();
        let webhook =
            json!({"name": "Hook", "url": "https://a.example/", "events": ["syncRequested"]});
        let calls = (0..CALLS).map(|_| post(&manage, "/webhooks", "hook", &webhook));
        assert_once(&join_all(calls).await, 201);
        let webhooks = manage.get("/webhooks").await.expect(200);
        assert_eq!(webhooks.json["meta"]["total"], 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_with_and_without_keys_share_commits() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for round in 0..4 {
            // Every third email is already taken by an earlier create of the round.
            let email =
                |n: usize| format!("p{round}.{}@example.com", if n % 3 == 2 { n - 1 } else { n });
            let calls = (0..48).map(|n| {
                let (client, body) = (&client, person(&email(n)));
                async move {
                    if n % 2 == 0 {
                        post(client, "/contacts", &format!("k{round}.{n}"), &body).await
                    } else {
                        client.post("/contacts", &body).await
                    }
                }
            });
            let answers = join_all(calls).await;
            let created = answers.iter().filter(|answer| answer.status == 201).count();
            assert_eq!(created, 32);
            assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)));
            for n in (0..48).step_by(2) {
                let key = format!("k{round}.{n}");
                let again = post(&client, "/contacts", &key, &person(&email(n))).await;
                assert_eq!((&again.text, again.header(REPLAYED)), (&answers[n].text, "true"));
            }
            assert_eq!(total(&client).await, (round + 1) * 32);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_client_disconnects_is_executed_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..20 {
            let body = person(&format!("p{n}@example.com"));
            let key = format!("k{n}");
            let call = post(&client, "/contacts", &key, &body);
            let wait = std::time::Duration::from_micros(n * 300);
            let _gone = tokio::time::timeout(wait, call).await;
            let answer = loop {
                let answer = post(&client, "/contacts", &key, &body).await;
                if answer.status != 409 {
                    break answer.expect(201);
                }
                answer.expect_error(409, "IDEMPOTENCY_KEY_IN_USE");
            };
            assert_eq!(answer.data()["email"], body["email"]);
            assert_eq!(total(&client).await, n + 1);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_calls_at_two_instances_are_executed_once() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let first = hub.client().await.manage();
        let other = second_hub(&hub.database);
        let second = first.at(&format!("http://{}", other.address));
        let webhook =
            json!({"name": "Hook", "url": "https://a.example/", "events": ["syncRequested"]});
        for round in 1..=5 {
            let key = format!("hook-{round}");
            let calls = (0..CALLS).map(|n| {
                let client = if n % 2 == 0 { &first } else { &second };
                post(client, "/webhooks", &key, &webhook)
            });
            let answers = join_all(calls).await;
            let new = assert_once(&answers, 201);
            let again = post(&second, "/webhooks", &key, &webhook).await.expect(201);
            assert_eq!((&again.text, again.header(REPLAYED)), (&new.text, "true"));
            let webhooks = second.get("/webhooks").await.expect(200);
            assert_eq!(webhooks.json["meta"]["total"], round);
        }
        other.stop().await.expect("it stops");
    })
    .await;
}
