//! What the tests of the audit share.

use std::time::Duration;

use contact_hub_tests::Client;
use serde_json::Value;

use crate::prepared::Leaves;
use crate::support::until;

/// The entries of a query, newest first.
pub(crate) async fn audit(client: &Client, query: &str) -> Vec<Value> {
    let answer = client.manage().get(&format!("/audit?{query}")).await.expect(200);
    answer.data().as_array().expect("a list").clone()
}

/// The actions, oldest first.
pub(crate) async fn actions(client: &Client) -> Vec<String> {
    let entries = audit(client, "page[size]=100").await;
    let action = |entry: &Value| entry["action"].as_str().expect("an action").to_owned();
    entries.iter().rev().map(action).collect()
}

impl Leaves {
    /// Fails the test unless the call with this id left these entries.
    pub(super) async fn check(self, client: &Client, what: &str, request_id: &str) {
        assert!(!request_id.is_empty(), "{what}");
        let has = |entries: &[Value]| entries.iter().any(|it| it["request_id"] == request_id);
        let in_feed = async || {
            let answer = client.manage().get("/changes?page[size]=1000").await.expect(200);
            has(answer.data().as_array().expect("a list"))
        };
        let in_audit = async || has(&audit(client, "page[size]=100").await);
        // An entry of the feed becomes visible when the transactions before it have ended.
        let found = async || match self {
            Self::InAudit => in_audit().await,
            Self::InFeed => in_feed().await,
            Self::Nothing => !in_audit().await && !in_feed().await,
        };
        let soon = tokio::time::timeout(Duration::from_secs(10), until(Duration::MAX, found)).await;
        assert!(soon.is_ok(), "{what} must leave {self:?}");
    }
}
