//! The service is killed while it creates and sends events: every entry arrives, and repeated events are identical.

use std::collections::BTreeMap;
use std::time::Duration;

use contact_hub_tests::{Answer, Receiver, Reply};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::sample::payloads;
use crate::support::until;
use crate::webhooks::desk::Desk;
use crate::webhooks::outbox::text;

async fn bulk(desk: &Desk, part: usize) {
    let row = |n| {
        let email = format!("p{part}-{n}@example.com");
        json!({"email": email, "first_name": "Ann", "last_name": "Lee"})
    };
    let body = json!({"contacts": (0..500).map(row).collect::<Vec<_>>()});
    let answer = desk.contacts(Method::POST, "/contacts/bulk").json(&body);
    let _written = Answer::of(answer).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_entry_arrives_in_one_event_however_often_the_service_is_killed() {
    let slow = |_place| Reply { after: Duration::from_millis(15), ..Reply::from(200) };
    let receiver = Receiver::scripted(slow).await;
    let mut desk = Desk::new(&receiver, "100ms,100ms,100ms").await;
    let follower = json!({"name": "Mirror", "url": receiver.url(), "events": ["contactsChanged"]});
    let _webhook = text(&desk.call("POST", "/webhooks", &follower).await.expect(201), "id");
    for part in 0..3 {
        // Events may arrive before the bulk is answered.
        let before = receiver.count();
        bulk(&desk, part).await;
        until(Duration::from_secs(20), async || receiver.count() > before).await;
        sleep(Duration::from_millis(20 * u64::try_from(part).expect("small"))).await;
        desk.crash();
        desk.end_leases();
        desk.restart();
    }
    let all = async || {
        let mut events: BTreeMap<String, Value> = BTreeMap::new();
        for payload in payloads(&receiver.requests()) {
            let id = payload["id"].as_str().expect("an id").to_owned();
            let before = events.insert(id, payload.clone());
            assert!(before.is_none_or(|before| before == payload));
        }
        let entries = |it: &Value| it["changes"].as_array().expect("changes").clone();
        events.values().flat_map(entries).collect::<Vec<Value>>()
    };
    until(Duration::from_mins(1), async || {
        sleep(Duration::from_millis(50)).await;
        all().await.len() >= 1500
    })
    .await;
    let mut feed = Vec::new();
    for part in ["", "after="] {
        let after = if part.is_empty() { String::new() } else { format!("{part}{}", last(&feed)) };
        let path = format!("/changes?page[size]=1000&{after}");
        let page = desk.call("GET", &path, &Value::Null).await.expect(200);
        feed.extend(page.data().as_array().expect("entries").clone());
    }
    // The ids of events increase in the order of their creation.
    assert_eq!(all().await, feed);
    desk.service.stop();
}

fn last(feed: &[Value]) -> &str {
    feed.last().and_then(|it| it["id"].as_str()).expect("an entry")
}
