//! The email of an erased person cannot be used again until it is unblocked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use contact_hub_tests::{Answer, Client, with_hub, with_idle_hub};
use reqwest::Method;
use serde_json::{Value, json};

use super::sample::{contains, erase};
use crate::support::{created, person, statements_of};

async fn erased_with_block(client: &Client, email: &str) {
    let id = created(client, &person(email)).await;
    let _ = erase(client, &id, &json!({"block": true})).await.expect(204);
}

async fn unblock(client: &Client, body: &Value) -> Answer {
    client.manage().post("/erasures/unblock", body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_contact_of_the_company_can_have_a_blocked_email() {
    with_hub(async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        erased_with_block(&client, "Ann@exämple.de").await;
        assert!(!contains(&hub.database, "Ann@"));
        for same in ["Ann@exämple.de", "ann@xn--exmple-cua.de"] {
            client.post("/contacts", &person(same)).await.expect_error(409, "CONTACT_ERASED");
        }
        let rows = [person("no email"), person("max@example.com"), person("ANN@exämple.de")];
        let bulk = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let failed = |place: usize| {
            let row = &bulk.data()["errors"][place];
            let keys = row["details"].as_object().expect("details").keys().cloned();
            (row["index"].clone(), row["email"].clone(), keys.collect::<Vec<_>>())
        };
        let expected = |index, email: &str| (json!(index), json!(email), vec!["email".to_owned()]);
        assert_eq!(bulk.data()["created"], 1);
        assert_eq!(failed(0), expected(0, "no email"));
        assert_eq!(failed(1), expected(2, "ANN@exämple.de"));
        let _ = created(&other, &person("ann@exämple.de")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unblocked_email_can_be_used_again() {
    with_hub(async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        erased_with_block(&client, "ann@example.com").await;
        erased_with_block(&client, "max@example.com").await;
        let body = json!({"email": "Ann@example.com"});
        let _ = unblock(&other, &body).await.expect(204);
        let ann = person("ann@example.com");
        client.post("/contacts", &ann).await.expect_error(409, "CONTACT_ERASED");
        for _again in 0..2 {
            let _ = unblock(&client, &body).await.expect(204);
        }
        let _ = created(&client, &ann).await;
        let max = person("max@example.com");
        client.post("/contacts", &max).await.expect_error(409, "CONTACT_ERASED");
        for wrong in [json!({}), json!({"email": "ann"}), json!({"email": 7})] {
            unblock(&client, &wrong).await.expect_invalid(&["email"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_to_a_blocked_email_is_rejected_after_an_unknown_id_and_a_stale_version() {
    with_hub(async |hub| {
        let client = hub.client().await;
        erased_with_block(&client, "ann@example.com").await;
        let path = format!("/contacts/{}", created(&client, &person("max@example.com")).await);
        let change = json!({"email": "ann@example.com"});
        let unknown = client.patch("/contacts/unknown", &change).await;
        unknown.expect_error(404, "CONTACT_NOT_FOUND");
        let stale = client.request(Method::PATCH, &path).header("If-Match", "\"1\"");
        let stale = Answer::of(stale.json(&change)).await;
        stale.expect_error(412, "PRECONDITION_FAILED");
        client.patch(&path, &change).await.expect_error(409, "CONTACT_ERASED");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_without_a_block_keeps_the_email_usable_and_invalid_bodies_are_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        for wrong in [json!({"block": 1}), json!({"block": null}), json!({"block": "true"})] {
            erase(&client, &id, &wrong).await.expect_invalid(&["block"]);
        }
        let _ = erase(&client, &id, &json!({"block": false})).await.expect(204);
        let _ = created(&client, &person("ann@example.com")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_emails_are_only_looked_up_in_companies_that_have_some() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let mut n = 0;
        let mut create = async || {
            n += 1;
            created(&client, &person(&format!("p{n}@example.com"))).await;
        };
        let without = statements_of(hub, &mut create).await;
        erased_with_block(&client, "ann@example.com").await;
        // Before the write, and again in its transaction.
        assert_eq!(statements_of(hub, &mut create).await, without + 2);
    })
    .await;
}

/// A call that checked before the erasure may write after it.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_cannot_recreate_a_contact_during_its_erasure() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let other = created(&client, &person("other@example.com")).await;
        for round in 0..9 {
            let email = format!("ann{round}@example.com");
            let id = created(&client, &person(&email)).await;
            let ended = Arc::new(AtomicBool::new(false));
            let writer = {
                let (client, ended, email, other) =
                    (client.clone(), Arc::clone(&ended), email.clone(), other.clone());
                tokio::spawn(async move {
                    let person = person(&email);
                    while !ended.load(Ordering::Relaxed) {
                        let answer = match round % 3 {
                            0 => client.post("/contacts", &person).await,
                            1 => {
                                client.post("/contacts/bulk", &json!({"contacts": [person]})).await
                            }
                            _ => {
                                let path = format!("/contacts/{other}");
                                client.patch(&path, &json!({"email": email})).await
                            }
                        };
                        assert!([200, 201, 409].contains(&answer.status), "{answer:?}");
                    }
                })
            };
            let _ = erase(&client, &id, &json!({"block": true})).await.expect(204);
            ended.store(true, Ordering::Relaxed);
            writer.await.expect("it ends");
            let found = client.post("/contacts/lookup", &json!({"emails": [email]})).await;
            assert_eq!(found.expect(200).data(), &json!([]), "round {round}");
        }
    })
    .await;
}
