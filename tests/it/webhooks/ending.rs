//! Deliveries survive the process that sends them.

use std::collections::BTreeSet;
use std::time::Duration;

use contact_hub_tests::{Receiver, Reply};
use serde_json::{Value, json};

use super::desk::{Desk, SOON};
use crate::support::until;

fn ids(receiver: &Receiver) -> BTreeSet<String> {
    receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_interrupted_by_a_crash_are_sent_again_with_the_same_number() {
    let receiver = Receiver::scripted(|place| match place {
        0 => Reply { after: Duration::from_mins(1), ..Reply::from(200) },
        _ => Reply::from(200),
    })
    .await;
    let mut desk = Desk::new(&receiver, "1s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 1).await;
    desk.crash();
    desk.end_leases();
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    assert_eq!(delivery["attempts"].as_array().expect("attempts").len(), 1);
    assert_eq!(delivery["attempts"][0]["number"], 1);
    assert_eq!((receiver.count(), ids(&receiver).len()), (2, 1));
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_count_of_attempts() {
    let receiver = Receiver::start(&[500, 503, 200]).await;
    let mut desk = Desk::new(&receiver, "100ms,3s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 2).await;
    desk.delivery("retrying").await;
    desk.service.stop();
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    let numbers: Vec<&Value> =
        delivery["attempts"].as_array().expect("attempts").iter().map(|it| &it["number"]).collect();
    assert_eq!(numbers, [&json!(1), &json!(2), &json!(3)]);
    assert_eq!((receiver.count(), ids(&receiver).len()), (3, 1));
    desk.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_attempt_is_finished_and_recorded_when_the_service_stops() {
    let slow = |_place| Reply { after: Duration::from_secs(2), ..Reply::from(200) };
    let receiver = Receiver::scripted(slow).await;
    let mut desk = Desk::new(&receiver, "1s").await;
    desk.request_sync().await;
    until(SOON, async || receiver.count() == 1).await;
    desk.service.stop();
    desk.restart();
    let delivery = desk.delivery("succeeded").await;
    assert_eq!((&delivery["attempt_count"], receiver.count()), (&json!(1), 1));
    desk.service.stop();
}
