//! Erasing a contact removes its data from events and their deliveries.

use contact_hub_tests::{Client, Receiver, with_hub};
use serde_json::{Value, json};

use super::sample::{SOON, arrived, follower, said};
use crate::support::{created, person_with_values, until};
use crate::webhooks::queued::{count_in_state, in_state};

/// The payloads of all deliveries in a state, as the interface shows them.
async fn shown(client: &Client, state: &str) -> Vec<Value> {
    let mut payloads = Vec::new();
    for delivery in in_state(client, state).await {
        let path = format!("/deliveries/{}", delivery["id"].as_str().expect("an id"));
        let detail = client.get(&path).await.expect(200);
        let payload = detail.data()["payload"].as_str().expect("a payload");
        payloads.push(serde_json::from_str(payload).expect("JSON"));
    }
    payloads
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_an_erased_contact_are_removed_from_sent_and_waiting_events() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let manage = client.manage();
        let key = client.field("Colour", "string").await;
        let receiver = Receiver::start(&[200]).await;
        let down = Receiver::start(&[503]).await;
        for receiver in [&receiver, &down] {
            follower(&client, receiver, &["contactsChanged"]).await;
        }
        let body = |email| person_with_values(email, &json!({&*key: "red"}));
        let ann = created(&client, &body("ann@example.com")).await;
        let max = created(&client, &body("max@example.com")).await;
        let _sent = (arrived(&receiver, 2).await, arrived(&down, 2).await);
        until(SOON, async || count_in_state(&manage, "pending").await == 0).await;
        let known = manage.get(&format!("/contacts/{ann}/everything")).await.expect(200);
        let deliveries = known.data()["deliveries"].as_array().expect("deliveries");
        assert_eq!(deliveries.len(), 2);

        let _erased = manage.post(&format!("/contacts/{ann}/erase"), &json!({})).await.expect(204);
        let sent = arrived(&receiver, 3).await;
        assert_eq!(said(&sent)[2], ("contact.erased".to_owned(), ann.clone()));
        until(SOON, async || count_in_state(&manage, "pending").await == 0).await;
        for state in ["succeeded", "retrying"] {
            let payloads = shown(&manage, state).await;
            let entries = super::sample::entries(&payloads);
            let mut of_ann = entries.iter().filter(|it| it["object_id"] == *ann);
            assert!(of_ann.all(|it| it["type"] == "contact.erased"), "{payloads:?}");
            assert!(entries.iter().any(|it| it["object_id"] == *max && it["changed"] != json!([])));
        }
        hub.clock.advance(60);
        hub.hub.ports.webhooks.signal.wake();
        let before = down.count();
        until(SOON, async || down.count() > before).await;
        let again = down.requests().pop().expect("a request");
        assert!(!again.body.contains(&*ann) || again.body.contains("contact.erased"));
    })
    .await;
}
