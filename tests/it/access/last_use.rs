//! When a key was last used: recorded to the minute, without a write for each request.

use std::time::Duration;

use contact_hub_domain::access::{AccessStore, record_key_uses};
use contact_hub_domain::time::Timestamp;
use contact_hub_tests::{Client, TestHub, with_hub};

use crate::support::until;

const SOON: Duration = Duration::from_secs(10);

async fn last_used(hub: &TestHub, client: &Client) -> Option<Timestamp> {
    let keys = hub.hub.storage.keys_of(client.made.user).await.expect("the keys");
    assert_eq!(keys.len(), 1);
    keys[0].last_used_at
}

#[tokio::test(flavor = "multi_thread")]
async fn a_use_is_recorded_to_the_minute() {
    with_hub(async |hub| {
        let client = hub.client().await;
        assert_eq!(last_used(hub, &client).await, None);
        let before = hub.hub.ports.environment.clock.now().minute();
        let _ = client.get("/fields").await.expect(200);
        let after = hub.hub.ports.environment.clock.now().minute();
        until(SOON, async || last_used(hub, &client).await.is_some()).await;
        let first = last_used(hub, &client).await.unwrap();
        assert!((before..=after).contains(&first.minute()));
        hub.clock.advance(120);
        let _ = client.get("/fields").await.expect(200);
        until(SOON, async || {
            last_used(hub, &client).await.is_some_and(|last| last.minute() >= first.minute() + 2)
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_use_in_the_same_minute_is_not_recorded() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let second =
            hub.hub.ports.environment.clock.now().micros().rem_euclid(60_000_000) / 1_000_000;
        hub.clock.advance(60 - second);
        let _ = client.get("/fields").await.expect(200);
        until(SOON, async || last_used(hub, &client).await.is_some()).await;
        let first = last_used(hub, &client).await;
        hub.clock.advance(20);
        let _ = client.get("/fields").await.expect(200);
        record_key_uses(&hub.hub.ports.access).await.unwrap();
        assert_eq!(last_used(hub, &client).await, first);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_call_with_a_valid_key_counts_as_a_use() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.get("/contacts/no-id").await.expect(404);
        until(SOON, async || last_used(hub, &client).await.is_some()).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_use_just_before_shutdown_is_recorded_before_the_service_stops() {
    let database = contact_hub_tests::TestDatabase::migrated();
    let storage = database.storage();
    let hub = crate::support::second_hub(&database);
    let options = contact_hub_tests::CompanyOptions::default();
    let made = contact_hub_tests::create_company(&hub.ports.access, &options).await;
    let url = format!("http://{}/api/public/v1/fields", hub.address);
    let request = reqwest::Client::new().get(url).bearer_auth(&made.token);
    let _ = contact_hub_tests::Answer::of(request).await.expect(200);
    hub.stop().await.unwrap();
    assert!(storage.keys_of(made.user).await.unwrap()[0].last_used_at.is_some());
}
