//! What the tests of the audit share.

use contact_hub_tests::Client;
use serde_json::Value;

/// The entries of a query, the newest first.
pub(super) async fn audit(client: &Client, query: &str) -> Vec<Value> {
    let answer = client.manage().get(&format!("/audit?{query}")).await.expect(200);
    answer.data().as_array().expect("a list").clone()
}

/// The actions, the oldest first.
pub(super) async fn actions(client: &Client) -> Vec<String> {
    let entries = audit(client, "page[size]=100").await;
    let action = |entry: &Value| entry["action"].as_str().expect("an action").to_owned();
    entries.iter().rev().map(action).collect()
}
