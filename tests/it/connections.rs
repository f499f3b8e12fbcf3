//! How many connections to PostgreSQL are opened.

use std::time::Duration;

use contact_hub_tests::Client;
use tokio::task::JoinSet;

use crate::silence::with_proxy;

/// As many as `docs/operating.md` promises with the default of eight for requests.
const MOST: usize = 16;

/// So many that opening one for each would exceed any limit.
const CALLS: usize = 100;

/// Longer than all of the calls need one after the other, on a busy machine too: each of them must be answered.
const WAIT: Duration = Duration::from_secs(30);

/// Lists of contacts at the same time.
async fn lists(client: &Client) {
    let mut calls = JoinSet::new();
    for _ in 0..CALLS {
        let client = client.clone();
        calls.spawn(async move { client.get("/contacts?search=ab").await.expect(200) });
    }
    assert_eq!(calls.join_all().await.len(), CALLS);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_find_no_idle_connection_open_no_more_than_may_be_used_at_once() {
    with_proxy(WAIT, async |hub, proxy| {
        let client = hub.client().await;
        let _opens_the_first = client.get("/contacts?search=ab").await.expect(200);
        proxy.hold_new_ones();
        lists(&client).await;
        // What they have asked for is opened during these.
        proxy.pass();
        lists(&client).await;
        assert!(proxy.accepted() <= MOST, "{} connections", proxy.accepted());
    })
    .await;
}
