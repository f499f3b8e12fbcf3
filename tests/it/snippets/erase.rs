//! "Erasing a person"

use contact_hub_tests::{Client, with_hub};
use serde_json::Value;

use super::{PROGRAMS, printed, program, run};
use crate::support::{created, person};

#[path = "../../../docs/integrating/erase.rs"]
mod snippet;

/// The person's data was returned and erased, and the email cannot be used again.
async fn assert_erased(client: &Client, id: &str, email: &str, known: &Value) {
    assert_eq!(known["data"]["contact"]["email"], email);
    let _ = client.get(&format!("/contacts/{id}")).await.expect(404);
    client.post("/contacts", &person(email)).await.expect_error(409, "CONTACT_ERASED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_erased_and_their_data_is_returned() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for language in PROGRAMS {
            let Some(words) = program(&format!("erase.{language}")) else { continue };
            let email = format!("{language}@example.com");
            let id = created(&client, &person(&email)).await;
            let erase = || run(&words, &[&email], &hub.base(), &client.made.token, "");
            let known = printed(&tokio::task::block_in_place(erase), 0);
            let known = serde_json::from_str(&known).expect("JSON");
            assert_erased(&client, &id, &email, &known).await;
            assert_eq!(printed(&tokio::task::block_in_place(erase), 1), "", "{language}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_snippet_does_the_same() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (email, key) = ("rs@example.com", &client.made.token);
        let id = created(&client, &person(email)).await;
        let known = snippet::erase(&hub.base(), key, email).await.expect("answers");
        let known = serde_json::from_str(&known.expect("a person")).expect("JSON");
        assert_erased(&client, &id, email, &known).await;
        let again = snippet::erase(&hub.base(), key, email).await.expect("an answer");
        assert!(again.is_none());
    })
    .await;
}
