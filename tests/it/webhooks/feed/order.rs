//! Entries arrive completely and in the order of the feed, in few events.

use std::collections::BTreeSet;
use std::time::Duration;

use contact_hub_tests::{Client, Receiver, Reply, with_hub};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use serde_json::{Value, json};

use super::sample::{
    SOON, arrived, created_and_seen, entries, feed, follower, payloads, received, said,
};
use crate::support::{created, person, second_hub, until};
use crate::webhooks::queued::count_in_state;

/// Creates this many contacts in one call.
async fn bulk(client: &Client, name: &str, count: usize) {
    let rows: Vec<Value> = (0..count).map(|n| person(&format!("{name}{n}@example.com"))).collect();
    let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bulk_of_a_thousand_creates_ten_events_with_all_entries_in_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let _webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let single = created(&client, &person("ann@example.com")).await;
        bulk(&client, "p", 1000).await;
        let sent = arrived(&receiver, 1001).await;
        assert_eq!(sent[..1000], feed(&client, "").await);
        assert_eq!(sent[0]["object_id"], single);
        let sizes: Vec<usize> = payloads(&receiver.requests())
            .iter()
            .map(|it| it["changes"].as_array().expect("changes").len())
            .collect();
        assert_eq!(sizes, [vec![1], vec![100; 10]].concat());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_of_one_contact_arrive_in_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let slow = |_place| Reply { after: Duration::from_millis(10), ..Reply::from(200) };
        let receiver = Receiver::scripted(slow).await;
        let id = created_and_seen(&client, "ann@example.com").await;
        let _webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (client, path) = (client.clone(), format!("/contacts/{id}"));
                tokio::spawn(async move {
                    for n in 0..15 {
                        let change = json!({"last_name": format!("Lee {writer} {n}")});
                        let _changed = client.patch(&path, &change).await.expect(200);
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.expect("a writer");
        }
        let sent = arrived(&receiver, 60).await;
        assert_eq!(sent, feed(&client, "type[]=contact.updated").await);
        // The next event is created after this one was answered, so it contains everything written in the meantime.
        assert!(receiver.count() < 60, "{}", receiver.count());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_waits_for_a_retry_does_not_delay_others() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[503, 200]).await;
        let _webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let first = created(&client, &person("ann@example.com")).await;
        until(SOON, async || count_in_state(&client.manage(), "retrying").await == 1).await;
        let second = created(&client, &person("max@example.com")).await;
        let sent: Vec<_> = said(&arrived(&receiver, 2).await).into_iter().map(|it| it.1).collect();
        assert_eq!(sent, [first.clone(), second.clone()]);
        until(SOON, async || count_in_state(&client.manage(), "succeeded").await == 1).await;
        hub.clock.advance(60);
        hub.hub.ports.webhooks.signal.wake();
        let sent: Vec<_> = said(&arrived(&receiver, 3).await).into_iter().map(|it| it.1).collect();
        assert_eq!(sent, [first.clone(), second, first]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_an_open_transaction_may_still_add_are_not_skipped() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let _webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let mut slow = PgConnection::establish(hub.database.url_text()).expect("PostgreSQL");
        let late = "01931e3a-7c00-7000-8000-0000000000aa";
        let insert = format!(
            "BEGIN; INSERT INTO changes SELECT '{}', pg_current_xact_id()::text::bigint + base, 0, 'contact.deleted', \
             now(), '{late}', '{late}', '[]' FROM change_base",
            client.made.company
        );
        slow.batch_execute(&insert).expect("an open transaction");
        let fast = created(&client, &person("ann@example.com")).await;
        // Several rounds of the task that creates events.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(receiver.count(), 0);
        slow.batch_execute("COMMIT").expect("it commits");
        let sent: Vec<_> = said(&arrived(&receiver, 2).await).into_iter().map(|it| it.1).collect();
        assert_eq!(sent, [late, &*fast]);
    })
    .await;
}

/// Many entries of other kinds precede the next one of this kind.
#[tokio::test(flavor = "multi_thread")]
async fn a_follower_of_one_kind_skips_the_entries_of_all_others() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let _webhook = follower(&client, &receiver, &["fieldsChanged"]).await;
        for name in ["a", "b", "c", "d", "e"] {
            bulk(&client, name, 1000).await;
        }
        let _key = client.field("Size", "number").await;
        assert_eq!(said(&arrived(&receiver, 1).await)[0].0, "field.created");
        assert_eq!(receiver.count(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_create_no_event_twice() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let other = second_hub(&hub.database);
        let second = client.at(&format!("http://{}", other.address));
        let mut receivers = Vec::new();
        for _webhook in 0..3 {
            let receiver = Receiver::start(&[200]).await;
            follower(&client, &receiver, &["contactsChanged"]).await;
            receivers.push(receiver);
        }
        for n in 0..40 {
            let client = if n % 2 == 0 { &client } else { &second };
            created(client, &person(&format!("p{n}@example.com"))).await;
        }
        bulk(&second, "bulk", 500).await;
        let expected = feed(&client, "").await;
        assert_eq!(expected.len(), 540);
        for receiver in &receivers {
            assert_eq!(arrived(receiver, 540).await, expected);
        }
        let manage = client.manage();
        until(SOON, async || count_in_state(&manage, "pending").await == 0).await;
        for receiver in &receivers {
            let sent = payloads(&receiver.requests());
            let ids: BTreeSet<_> = sent.iter().map(|it| it["id"].to_string()).collect();
            assert_eq!((ids.len(), entries(&sent).len()), (sent.len(), received(receiver).len()));
            assert_eq!(received(receiver).len(), 540);
        }
        other.stop().await.expect("it stops");
    })
    .await;
}
