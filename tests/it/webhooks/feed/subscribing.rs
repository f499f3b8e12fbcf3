//! What a follower gets: the entries of its kinds, from its subscription on.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;

use super::sample::{
    KINDS, SOON, arrived, created_and_seen, entries, feed, follower, payloads, received, said,
};
use crate::support::{created, is_timestamp, person, until};
use crate::sync::sample::{completed, setting};
use crate::webhooks::queued::{count_in_state, in_state};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_has_the_entries_as_the_feed_shows_them() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let _webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let key = client.field("Size", "number").await;
        let id = created(&client, &person("ann@example.com")).await;
        let change = json!({"field_values": {&*key: 7}, "last_name": "Low"});
        let _changed = client.patch(&format!("/contacts/{id}"), &change).await.expect(200);
        let sent = arrived(&receiver, 2).await;
        assert_eq!(sent, feed(&client, "").await[1..]);
        for request in receiver.requests() {
            let payload = &payloads(std::slice::from_ref(&request))[0];
            assert_eq!(payload.as_object().expect("an object").len(), 4);
            assert_eq!(payload["event"], "contactsChanged");
            assert_eq!(payload["id"], request.header("webhook-id"));
            assert!(is_timestamp(&payload["created_at"]));
            assert_eq!(request.header("service-signature").len(), 64);
            assert!(request.header("webhook-signature").starts_with("v1,"));
        }
        let manage = client.manage();
        until(SOON, async || count_in_state(&manage, "succeeded").await > 0).await;
        let delivery = in_state(&manage, "succeeded").await[0].clone();
        assert_eq!(
            (&delivery["event"], &delivery["sync_id"]),
            (&json!("contactsChanged"), &json!(null))
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_has_the_entries_of_its_objects_and_only_those_subscribed_are_sent() {
    with_hub(async |hub| {
        let setting = setting(hub.client().await, &[200]).await;
        let client = &setting.client;
        let all = Receiver::start(&[200]).await;
        let some = Receiver::start(&[200]).await;
        let _webhook = follower(client, &all, &KINDS).await;
        let _webhook = follower(client, &some, &["fieldsChanged"]).await;
        let _contact = created(client, &person("ann@example.com")).await;
        let _key = client.field("Size", "number").await;
        let _sync = setting.requested().await;
        // A report cancels a request that is still waiting.
        let _request = setting.received(1).await;
        let _reported = setting.report(&completed("7")).await.expect(200);
        let _contact = created(client, &person("max@example.com")).await;
        let _sent = arrived(&all, 5).await;
        let of_feed = said(&feed(client, "").await);
        for (kind, begins) in KINDS.into_iter().zip(["contact.", "field.", "sync."]) {
            let of_kind: Vec<_> =
                payloads(&all.requests()).into_iter().filter(|it| it["event"] == kind).collect();
            let expected = of_feed.iter().filter(|(change, _)| change.starts_with(begins));
            assert_eq!(said(&entries(&of_kind)), expected.cloned().collect::<Vec<_>>());
        }
        assert_eq!(said(&arrived(&some, 1).await)[0].0, "field.created");
        let manage = client.manage();
        until(SOON, async || count_in_state(&manage, "pending").await == 0).await;
        assert_eq!(received(&some).len(), 1);
        // The other webhook, which subscribes to sync requests, only got that event.
        assert_eq!(setting.receiver.count(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_gets_entries_after_its_subscription_and_none_while_disabled() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let mut n = 0;
        let mut create = async || {
            n += 1;
            created_and_seen(&client, &format!("p{n}@example.com")).await
        };
        let _before = create().await;
        let webhook = follower(&client, &receiver, &["fieldsChanged"]).await;
        let change = async |body| {
            let _changed = client.manage().patch(&webhook, &body).await.expect(200);
        };
        let _unsubscribed = create().await;
        change(json!({"events": ["contactsChanged", "fieldsChanged"]})).await;
        let first = create().await;
        assert_eq!(said(&arrived(&receiver, 1).await), [("contact.created".to_owned(), first)]);
        change(json!({"enabled": false})).await;
        let _off = create().await;
        until(SOON, async || count_in_state(&client.manage(), "skipped").await == 1).await;
        change(json!({"enabled": true, "name": "Mirror again"})).await;
        let second = create().await;
        assert_eq!(said(&arrived(&receiver, 2).await)[1].1, second);
        change(json!({"events": ["syncRequested"]})).await;
        let _unsubscribed = create().await;
        change(json!({"events": ["syncRequested", "contactsChanged"]})).await;
        let third = create().await;
        let sent = said(&arrived(&receiver, 3).await);
        assert_eq!((sent.len(), &sent[2].1), (3, &third));
        let control = Receiver::start(&[200]).await;
        let _webhook = follower(&client, &control, &["contactsChanged"]).await;
        let _deleted = client.manage().delete(&webhook).await.expect(204);
        let after = create().await;
        // The deleted webhook would have got this entry at about the same time.
        assert_eq!(said(&arrived(&control, 1).await), [("contact.created".to_owned(), after)]);
        assert_eq!(received(&receiver).len(), 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_from_while_a_webhook_was_off_are_skipped_deliveries_that_can_be_resent() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[200]).await;
        let webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let manage = client.manage();
        let _off = manage.patch(&webhook, &json!({"enabled": false})).await.expect(200);
        let id = created(&client, &person("ann@example.com")).await;
        until(SOON, async || count_in_state(&manage, "skipped").await == 1).await;
        let skipped = in_state(&manage, "skipped").await[0].clone();
        assert_eq!(skipped["event"], "contactsChanged");
        let _on = manage.patch(&webhook, &json!({"enabled": true})).await.expect(200);
        let resend = format!("/deliveries/{}/resend", skipped["id"].as_str().expect("an id"));
        let _resent = manage.trigger(&resend).await.expect(202);
        let sent = said(&arrived(&receiver, 1).await);
        assert_eq!(sent, [("contact.created".to_owned(), id)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_follower_there_are_no_events() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let other = hub.client().await;
        let (ours, theirs) = (Receiver::start(&[200]).await, Receiver::start(&[200]).await);
        let _webhook = follower(&client, &ours, &["syncRequested"]).await;
        let _webhook = follower(&other, &theirs, &["contactsChanged"]).await;
        let _contact = created(&client, &person("ann@example.com")).await;
        let theirs_only = created(&other, &person("ann@example.com")).await;
        assert_eq!(said(&arrived(&theirs, 1).await)[0].1, theirs_only);
        let deliveries = client.manage().get("/deliveries").await.expect(200);
        assert_eq!((deliveries.data(), ours.count()), (&json!([]), 0));
        hub.database.execute(
            "CREATE TABLE counted (n integer CHECK (n = 1)); INSERT INTO counted SELECT count(*) FROM events",
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_the_feed_are_resent_and_recovered_like_all_others() {
    let schedule = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.webhooks.retry_schedule = vec![std::time::Duration::from_millis(50)];
    };
    contact_hub_tests::with_settings(schedule, async |hub| {
        let client = hub.client().await;
        let receiver = Receiver::start(&[500, 500, 500, 500, 200]).await;
        let webhook = follower(&client, &receiver, &["contactsChanged"]).await;
        let manage = client.manage();
        let id = created(&client, &person("ann@example.com")).await;
        until(SOON, async || count_in_state(&manage, "exhausted").await == 1).await;
        let delivery = in_state(&manage, "exhausted").await[0]["id"].as_str().expect("an id").to_owned();
        let _resent = manage.trigger(&format!("/deliveries/{delivery}/resend")).await.expect(202);
        until(SOON, async || receiver.count() == 4 && count_in_state(&manage, "exhausted").await == 1).await;
        let body = json!({"webhook_id": webhook.trim_start_matches("/webhooks/"), "since": "2020-01-01T00:00:00Z"});
        let recovered = manage.post("/deliveries/recover", &body).await.expect(202);
        assert_eq!(recovered.data()["recovered"], 1);
        until(SOON, async || count_in_state(&manage, "succeeded").await == 1).await;
        let ids: Vec<_> = receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect();
        assert!(ids.len() == 5 && ids.iter().all(|it| *it == ids[0]));
        assert!(received(&receiver).iter().all(|it| it["object_id"] == *id));
    })
    .await;
}
