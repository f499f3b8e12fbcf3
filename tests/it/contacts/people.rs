//! A few people, and which of them a query finds.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

/// Email, first name, last name.
pub(super) type Person = (&'static str, &'static str, &'static str);

/// A company with these people, created in their order.
pub(super) async fn with_people(people: &[Person], test: impl AsyncFnOnce(&Client)) {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (email, first, last) in people {
            let body = json!({"email": email, "first_name": first, "last_name": last});
            let _created = client.post("/contacts", &body).await.expect(201);
        }
        test(&client).await;
    })
    .await;
}

/// The first letters of the emails of all that a query finds.
pub(super) async fn found(client: &Client, query: &str) -> String {
    let (letters, total) = answered(client, query).await;
    assert_eq!(total, letters.chars().count(), "{query}");
    letters
}

/// The first letters of the emails on a page.
pub(super) async fn on_page(client: &Client, query: &str) -> String {
    answered(client, query).await.0
}

async fn answered(client: &Client, query: &str) -> (String, Value) {
    let answer = client.get(&format!("/contacts?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    let contacts = answer.data().as_array().expect("a list");
    let first = |it: &Value| it["email"].as_str()?.to_lowercase().chars().next();
    (contacts.iter().filter_map(first).collect(), answer.json["meta"]["total"].clone())
}
