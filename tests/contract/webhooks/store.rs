//! Webhooks and their secrets; those of another company are not found.

use crate::sample::at;
use crate::sample::operator;
use std::time::Duration;

use contact_hub_domain::ids::{DeliveryId, WebhookId};
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::{
    DeliveriesQuery, Health, NextStep, PayloadUrl, ResendOutcome, Rotation, WebhookChange,
    WebhookName, WebhookStore,
};
use uuid::Uuid;

use super::outbox::{Outbox, ended, second, secret, webhook};
use crate::sample::{MANY, stored_company};
use contact_hub_domain::webhooks::DeliveryQueue;
use contact_hub_web::FromQuery as _;

fn rotation(byte: u8, until: Option<i64>) -> WebhookChange {
    let rotation = Rotation { secret: secret(byte), previous_until: until.map(second) };
    WebhookChange { rotation: Some(rotation), ..WebhookChange::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_created_read_changed_listed_and_deleted() {
    let outbox = Outbox::new().await;
    let (store, company) = (&outbox.storage, outbox.company);
    let made = webhook(company);
    WebhookStore::create(store, operator(), made.clone(), secret(1), MANY).await.expect("created");
    let other = outbox.webhook().await;
    let read = async || WebhookStore::read(store, company, made.id, second(1)).await.expect("read");
    assert_eq!(read().await, Some(made.clone()));
    let nothing =
        WebhookStore::change(store, company.into(), made.id, WebhookChange::default(), second(2));
    assert_eq!(nothing.await.expect("changed"), Some(made.clone()));
    let change = WebhookChange {
        name: Some(WebhookName::from_stored("Other".into())),
        url: Some(PayloadUrl::from_stored("https://other.example".into())),
        switched: Some(Health::switched(false)),
        ..WebhookChange::default()
    };
    let changed = WebhookStore::change(store, company.into(), made.id, change, second(3)).await;
    let changed = changed.expect("changed").expect("it is there");
    assert_eq!((changed.name.as_str(), changed.updated_at), ("Other", second(3)));
    assert_eq!(read().await, Some(changed));
    let page = PageRequest::new(1, 10).expect("a page");
    let listed = WebhookStore::list(store, company, page, second(4)).await.expect("listed");
    assert_eq!(listed.items.iter().map(|it| it.id).collect::<Vec<_>>(), [made.id, other]);
    assert!(
        WebhookStore::delete(store, company.into(), made.id, second(5)).await.expect("deleted")
    );
    assert!(
        !WebhookStore::delete(store, company.into(), made.id, second(5)).await.expect("deleted")
    );
    assert_eq!(read().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bounded_number_of_previous_secrets_stays_valid_until_they_expire() {
    let outbox = Outbox::new().await;
    let (store, company) = (&outbox.storage, outbox.company);
    let id = outbox.webhook().await;
    let valid = async |now| {
        let target = store.test_target(company, id, second(now)).await.expect("a target");
        let secrets = target.expect("a webhook").secrets;
        secrets.into_iter().map(|(_, sealed)| sealed.bytes[0]).collect::<Vec<u8>>()
    };
    let rotate = async |byte, now, until| {
        let change = rotation(byte, until);
        let changed = WebhookStore::change(store, company.into(), id, change, second(now)).await;
        let until = changed.expect("rotated").expect("a webhook").previous_secret_until;
        let read = WebhookStore::read(store, company, id, second(now)).await.expect("a read");
        assert_eq!(read.expect("a webhook").previous_secret_until, until);
        until
    };
    assert_eq!(valid(1).await, [1]);
    assert_eq!(rotate(2, 10, Some(100)).await, Some(second(100)));
    assert_eq!(valid(99).await, [2, 1]);
    assert_eq!(valid(100).await, [2]);
    assert_eq!(rotate(3, 11, Some(50)).await, Some(second(50)));
    assert_eq!((valid(49).await, valid(50).await), (vec![3, 2, 1], vec![3]));
    assert_eq!(rotate(4, 12, Some(200)).await, Some(second(200)));
    assert_eq!((valid(49).await, valid(60).await), (vec![4, 3, 2], vec![4, 3]));
    assert_eq!(rotate(5, 13, None).await, None);
    assert_eq!(valid(13).await, [5]);
    rotate(6, 14, Some(300)).await;
    assert!(store.end_previous_secrets(company.into(), id, at(9)).await.expect("ended"));
    assert_eq!(valid(14).await, [6]);
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_webhook_cancels_its_deliveries_and_erases_their_payloads() {
    let outbox = Outbox::new().await;
    let (store, company) = (&outbox.storage, outbox.company);
    let (id, other) = (outbox.webhook().await, outbox.webhook().await);
    let waiting = outbox.due(id, 1, 1, second(90))[0];
    let ids = outbox.due(id, 2, 0, second(0));
    let kept = outbox.due(other, 1, 0, second(90))[0];
    let claimed = outbox.claim(second(1), 9).await;
    assert!(WebhookStore::delete(store, company.into(), id, second(2)).await.expect("deleted"));
    for delivery in [waiting, ids[0], ids[1]] {
        let (state, next, reason) = outbox.state_of(delivery).await;
        assert_eq!((state, next), ("cancelled", None));
        assert_eq!(reason.as_deref(), Some("The webhook was deleted."));
    }
    let payload = async |id| {
        let read = store.read_delivery(company, id).await.expect("a read");
        read.expect("a delivery").payload
    };
    assert!(payload(waiting).await.is_none() && payload(kept).await.is_some());
    // An attempt in progress can still report its success or failure.
    let done = vec![
        ended(&claimed[0], second(1), NextStep::Succeeded),
        ended(&claimed[1], second(1), NextStep::RetryAt(second(9))),
    ];
    assert!(store.record(done).await.expect("recorded").is_empty());
    assert_eq!(outbox.state_of(claimed[0].delivery_id).await.0, "succeeded");
    assert_eq!(outbox.state_of(claimed[1].delivery_id).await.0, "cancelled");
    let resent = store.resend(company.into(), waiting, second(3)).await.expect("an answer");
    assert_eq!(resent, ResendOutcome::WebhookGone);
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_and_deliveries_of_another_company_are_not_found() {
    let outbox = Outbox::new().await;
    let store = &outbox.storage;
    let id = outbox.webhook().await;
    let delivery = outbox.due(id, 1, 0, second(0))[0];
    let foreign = stored_company(store).await.id;
    let now = second(1);
    assert_eq!(WebhookStore::read(store, foreign, id, now).await.expect("a read"), None);
    let change = WebhookStore::change(store, foreign.into(), id, rotation(9, None), now).await;
    assert_eq!(change.expect("an answer"), None);
    assert!(!store.end_previous_secrets(foreign.into(), id, at(9)).await.expect("an answer"));
    assert!(!WebhookStore::delete(store, foreign.into(), id, now).await.expect("an answer"));
    assert_eq!(store.test_target(foreign, id, now).await.expect("an answer"), None);
    assert_eq!(store.read_delivery(foreign, delivery).await.expect("an answer"), None);
    let resent = store.resend(foreign.into(), delivery, now).await.expect("an answer");
    assert_eq!(resent, ResendOutcome::NotFound);
    assert_eq!(store.recover(foreign.into(), id, second(0), now).await.expect("an answer"), None);
    assert_eq!(store.names(foreign).await.expect("a list"), []);
    let names = store.names(outbox.company).await.expect("a list");
    assert_eq!(names.into_iter().map(|(named, _)| named).collect::<Vec<_>>(), [id]);
    let query = DeliveriesQuery { webhook_id: Some(id), ..DeliveriesQuery::default() };
    assert!(store.list_deliveries(foreign, query).await.expect("a list").items.is_empty());
    assert_eq!(store.list_deliveries(outbox.company, query).await.expect("a list").meta.total, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_listed_newest_first_under_each_condition() {
    let outbox = Outbox::new().await;
    let (one, other) = (outbox.webhook().await, outbox.webhook().await);
    let first = outbox.due(one, 3, 0, second(0));
    tokio::time::sleep(Duration::from_millis(2)).await;
    let second_ones = outbox.due(other, 2, 1, second(0));
    let listed = async |query: DeliveriesQuery| -> Vec<DeliveryId> {
        let page = outbox.storage.list_deliveries(outbox.company, query).await.expect("a list");
        assert_eq!(page.meta.total, u64::try_from(page.items.len()).expect("few"));
        page.items.into_iter().map(|delivery| delivery.id).collect()
    };
    let reversed = |ids: &[DeliveryId]| ids.iter().rev().copied().collect::<Vec<_>>();
    let all = reversed(&[first.clone(), second_ones.clone()].concat());
    assert_eq!(listed(DeliveriesQuery::default()).await, all);
    let by =
        |webhook: WebhookId| DeliveriesQuery { webhook_id: Some(webhook), ..Default::default() };
    assert_eq!(listed(by(one)).await, reversed(&first));
    assert_eq!(listed(by(WebhookId::new(Uuid::now_v7()))).await, []);
    let query = DeliveriesQuery::from_query("state=retrying").expect("a query");
    assert_eq!(listed(query).await, reversed(&second_ones));
    let detail = outbox.storage.read_delivery(outbox.company, first[0]).await.expect("a read");
    let sync = detail.expect("a delivery").delivery.sync_id;
    let query = DeliveriesQuery { sync_id: sync, ..by(one) };
    assert_eq!(listed(query).await, reversed(&first));
    assert_eq!(listed(DeliveriesQuery { sync_id: sync, ..by(other) }).await, []);
}
