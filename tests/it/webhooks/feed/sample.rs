//! Helpers of the tests of feed events.

use std::time::Duration;

use contact_hub_tests::{Client, Received, Receiver};
use serde_json::{Value, json};

use crate::support::{self, person, until};
use crate::webhooks::outbox::created;

pub(super) const SOON: Duration = Duration::from_secs(20);

/// The kinds of events that consist of entries.
pub(super) const KINDS: [&str; 3] = ["contactsChanged", "fieldsChanged", "syncsChanged"];

/// Creates a webhook that sends to the receiver, subscribed to these kinds; returns its path.
pub(super) async fn follower(client: &Client, receiver: &Receiver, kinds: &[&str]) -> String {
    let body = json!({"name": "Mirror", "url": receiver.url(), "events": kinds});
    created(&client.manage(), &body).await
}

/// The payloads of requests, in the order in which they arrived.
pub(super) fn payloads(requests: &[Received]) -> Vec<Value> {
    requests.iter().map(|it| serde_json::from_str(&it.body).expect("JSON")).collect()
}

/// The entries of all requests so far.
pub(super) fn received(receiver: &Receiver) -> Vec<Value> {
    entries(&payloads(&receiver.requests()))
}

/// The entries of payloads.
pub(super) fn entries(payloads: &[Value]) -> Vec<Value> {
    let changes = |it: &Value| it["changes"].as_array().expect("changes").clone();
    payloads.iter().flat_map(changes).collect()
}

/// Waits until this many entries have arrived, and returns them.
pub(super) async fn arrived(receiver: &Receiver, count: usize) -> Vec<Value> {
    until(SOON, async || {
        tokio::time::sleep(Duration::from_millis(5)).await;
        received(receiver).len() >= count
    })
    .await;
    received(receiver)
}

/// The feed of the client's company, from a cursor on if there is one.
pub(super) async fn feed(client: &Client, query: &str) -> Vec<Value> {
    let path = format!("/changes?page[size]=1000&{query}");
    client.manage().get(&path).await.expect(200).data().as_array().expect("entries").clone()
}

/// Creates a contact, waits until the feed returns its entry, and returns its id. On PostgreSQL a subscription starts
/// before the first transaction in progress, so that a follower may get an entry that was written shortly before it
/// subscribed; it does not get one that the feed has returned.
pub(super) async fn created_and_seen(client: &Client, email: &str) -> String {
    let id = support::created(client, &person(email)).await;
    until(SOON, async || feed(client, "").await.iter().any(|it| it["object_id"] == *id)).await;
    id
}

/// The type and the object of each entry.
pub(super) fn said(entries: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    entries.iter().map(|it| (text(&it["type"]), text(&it["object_id"]))).collect()
}
