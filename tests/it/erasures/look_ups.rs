//! The kept answer of a lookup with an idempotency key is deleted when a person in it is erased.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::erase;
use crate::support::{created, person, second_hub};

async fn look_up(client: &Client, key: &str, body: &Value) -> Answer {
    let request = client.request(Method::POST, "/contacts/lookup");
    Answer::of(request.header("Idempotency-Key", key).json(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_of_a_lookup_during_the_erasure_is_not_kept() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for round in 0..6 {
            let email = format!("ann{round}@example.com");
            let id = created(&client, &person(&email)).await;
            let body =
                if round % 2 == 0 { json!({"ids": [id]}) } else { json!({"emails": [email]}) };
            let (began, ended) =
                (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
            let reader = {
                let (client, body) = (client.clone(), body.clone());
                let (began, ended) = (Arc::clone(&began), Arc::clone(&ended));
                tokio::spawn(async move {
                    let mut calls = 0;
                    while !ended.load(Ordering::Relaxed) {
                        let key = format!("{round}-{calls}");
                        let _answer = look_up(&client, &key, &body).await.expect(200);
                        began.store(true, Ordering::Relaxed);
                        calls += 1;
                    }
                    calls
                })
            };
            while !began.load(Ordering::Relaxed) {
                tokio::task::yield_now().await;
            }
            let _ = erase(&client, &id, &json!({})).await.expect(204);
            ended.store(true, Ordering::Relaxed);
            for call in 0..reader.await.expect("it ends") {
                let again = look_up(&client, &format!("{round}-{call}"), &body).await.expect(200);
                assert_eq!(again.data(), &json!([]), "round {round}, call {call}");
            }
        }
    })
    .await;
}

/// An instance that has not cached the fields reads them after the contacts.
#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_has_not_cached_the_fields_answers() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.field("Size", "number").await;
        let id = created(&client, &person("ann@example.com")).await;
        let second = second_hub(&hub.database);
        let client = client.at(&format!("http://{}", second.address));
        let found = look_up(&client, "k", &json!({"ids": [id]})).await.expect(200);
        assert_eq!(found.data()[0]["id"], json!(id));
        let again = look_up(&client, "k", &json!({"ids": [id]})).await.expect(200);
        assert_eq!((again.header("idempotent-replayed"), &again.text), ("true", &found.text));
        second.stop().await.expect("it stops");
    })
    .await;
}

/// The address of a failed row is kept in the client's spelling.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_another_spelling_of_the_address_is_deleted_too() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let body = json!({"emails": ["nobody@example.com", "ANN@example.com"]});
        let _kept = look_up(&client, "other", &json!({"emails": ["nobody@example.com"]})).await;
        let _kept = look_up(&client, "spelled", &body).await.expect(200);
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let missing = look_up(&client, "missing", &body).await.expect(200);
        assert!(missing.text.contains("ANN@example.com"), "{}", missing.text);
        let _ = erase(&client, &id, &json!({})).await.expect(204);
        for (key, is_kept) in [("other", true), ("missing", false), ("spelled", false)] {
            let wanted = if key == "other" {
                json!({"emails": ["nobody@example.com"]})
            } else {
                body.clone()
            };
            let again = look_up(&client, key, &wanted).await.expect(200);
            assert_eq!(again.header("idempotent-replayed") == "true", is_kept, "{key}");
        }
    })
    .await;
}

/// Erases a person, and fails the test unless exactly the answers that name one of `same` are deleted.
async fn erase_and_compare(client: &Client, email: &str, others: &[&str], same: &[&str]) {
    let body = |address: &str| json!({"emails": [address]});
    for (number, address) in others.iter().chain(same).enumerate() {
        let _kept = look_up(client, &number.to_string(), &body(address)).await.expect(200);
    }
    let id = created(client, &person(email)).await;
    let _ = erase(client, &id, &json!({})).await.expect(204);
    for (number, address) in others.iter().chain(same).enumerate() {
        let again = look_up(client, &number.to_string(), &body(address)).await.expect(200);
        let is_kept = again.header("idempotent-replayed") == "true";
        assert_eq!(is_kept, others.contains(address), "{address:?}");
    }
}

/// The addresses of others may contain that of the person, or be part of it.
#[tokio::test(flavor = "multi_thread")]
async fn only_answers_with_the_whole_address_are_deleted() {
    with_hub(async |hub| {
        let others = [
            "joann@example.com",
            "ann@example.com.au",
            "ann@example.community",
            "j.ann@example.com",
            "x+ann@example.com",
            "-ann@example.com",
            "nn@example.com",
        ];
        let same = [
            "ann@example.com",
            "  Ann@Example.com ",
            "\tann@example.com\n",
            "\u{1}ann@example.com",
            "\u{a0}ann@example.com\u{a0}",
            "<ann@example.com>",
            "a\\ann@example.com",
            "éann@example.com",
        ];
        erase_and_compare(&hub.client().await, "ann@example.com", &others, &same).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_with_international_spellings_of_the_address_are_deleted() {
    with_hub(async |hub| {
        let others = ["joünï@exämple.de", "ünï@exämple.dev", "uni@example.de", "例@exämple.de"];
        let same = [
            "ünï@exämple.de",
            "ÜNÏ@EXÄMPLE.DE",
            "ünï@xn--exmple-cua.de",
            "ÜNÏ@XN--exmple-cua.de",
            "u\u{308}ni\u{308}@exa\u{308}mple.de",
            "ünï@exämple。de",
        ];
        erase_and_compare(&hub.client().await, "Ünï@exämple.de", &others, &same).await;
    })
    .await;
}
