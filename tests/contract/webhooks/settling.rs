//! Changes of very many deliveries take effect at once, before their rows are rewritten.

use std::time::Duration;

use contact_hub_domain::ids::{CompanyId, InstanceId, WebhookId};
use contact_hub_domain::webhooks::{
    DeliveriesQuery, DeliveryQueue, NextStep, ResendOutcome, Trigger, WebhookStore,
};
use contact_hub_web::FromQuery as _;

use uuid::Uuid;

use super::outbox::{Outbox, second};
use crate::sample::stored_company;

/// More than the changing transaction rewrites itself.
const MANY: usize = 1000;

const STATES: [&str; 7] =
    ["pending", "in_progress", "retrying", "succeeded", "exhausted", "cancelled", "skipped"];

/// How many deliveries in a state a list counts and shows.
async fn listed(outbox: &Outbox, condition: &str) -> u64 {
    let query = |page: u64| {
        let text = format!("page[size]=100&page[number]={page}&{condition}");
        DeliveriesQuery::from_query(&text).expect("a query")
    };
    let shown = async |number| {
        outbox.storage.list_deliveries(outbox.company, query(number)).await.expect("a list")
    };
    let first = shown(1).await;
    let last = shown(first.meta.total.div_ceil(100).max(1)).await;
    let state = condition.trim_start_matches("state=").split('&').next().expect("a state");
    let is_asked = |state_of: &str| !STATES.contains(&state) || state_of == state;
    for page in [&first, &last] {
        assert!(page.items.iter().all(|it| is_asked(it.state.as_str())), "{condition}");
    }
    let shown = first.meta.total.min(100);
    assert_eq!(u64::try_from(first.items.len()).expect("few"), shown, "{condition}");
    first.meta.total
}

/// The number of deliveries in each state that has any.
async fn numbers(outbox: &Outbox) -> Vec<(&'static str, u64)> {
    let mut numbers = Vec::new();
    for state in STATES {
        let number = listed(outbox, &format!("state={state}")).await;
        numbers.extend(Some((state, number)).filter(|(_, number)| *number > 0));
    }
    let all: u64 = numbers.iter().map(|(_, number)| number).sum();
    assert_eq!(listed(outbox, "").await, all);
    numbers
}

/// Settles everything; the numbers stay as they were.
async fn settle(outbox: &Outbox) {
    let before = numbers(outbox).await;
    let mut batches = 0;
    while outbox.storage.settle(150, Duration::MAX).await.expect("settled") {
        assert_eq!(numbers(outbox).await, before);
        batches += 1;
        assert!(batches < 100, "it never ends");
    }
    assert_eq!(numbers(outbox).await, before);
}

/// How many rows are rewritten by this many batches with this time limit.
async fn rewritten_by(
    outbox: &Outbox,
    webhook: WebhookId,
    batches: usize,
    within: Duration,
) -> i64 {
    let condition = format!("webhook_id = {} AND state = 'skipped'", outbox.id(webhook.uuid()));
    let before = outbox.number_of(&condition);
    for _ in 0..batches {
        assert!(outbox.storage.settle(300, within).await.expect("settled"));
    }
    outbox.number_of(&condition) - before
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_ends_when_its_time_is_up_or_its_rows_are_rewritten() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, MANY, 0, second(0));
    outbox.switch(webhook, false, 1).await;
    let short = rewritten_by(&outbox, webhook, 2, Duration::ZERO).await;
    assert!((1..600).contains(&short), "{short} rows by two batches that have no time");
    assert_eq!(rewritten_by(&outbox, webhook, 1, Duration::MAX).await, 300);
    settle(&outbox).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_alternates_between_companies_and_webhooks() {
    let mut outbox = Outbox::new().await;
    // One more than the changing transaction rewrites itself.
    let switched_off = async |outbox: &Outbox| {
        let webhook = outbox.webhook().await;
        outbox.due(webhook, 201, 0, second(0));
        outbox.switch(webhook, false, 1).await;
    };
    for _ in 0..30 {
        switched_off(&outbox).await;
    }
    let company = outbox.company;
    outbox.company = stored_company(&outbox.storage).await.id;
    switched_off(&outbox).await;
    let waiting = |company: CompanyId| {
        let company = outbox.id(company.uuid());
        outbox.number_of(&format!("company_id = {company} AND state = 'pending'"))
    };
    assert_eq!((waiting(company), waiting(outbox.company)), (30, 1));
    assert!(outbox.storage.settle(1000, Duration::MAX).await.expect("settled"));
    assert_eq!((waiting(company), waiting(outbox.company)), (11, 0));
    while outbox.storage.settle(1000, Duration::MAX).await.expect("settled") {}
    assert_eq!(waiting(company), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_with_a_backlog_is_disabled_and_recovered_at_once() {
    let outbox = Outbox::new().await;
    let (webhook, other) = (outbox.webhook().await, outbox.webhook().await);
    let ids = outbox.due(webhook, MANY, 0, second(0));
    outbox.due(webhook, 3, 2, second(90));
    let beside = outbox.due(other, 2, 0, second(500))[0];
    let claimed = outbox.claim(second(1), 5).await;
    assert_eq!(numbers(&outbox).await, [("pending", 997), ("in_progress", 5), ("retrying", 3)]);
    outbox.switch(webhook, false, 2).await;
    assert_eq!(numbers(&outbox).await, [("pending", 2), ("skipped", 1003)]);
    for id in [ids[0], ids[MANY - 1], claimed[0].delivery_id] {
        let (state, next, reason) = outbox.state_of(id).await;
        assert_eq!((state, next), ("skipped", None));
        assert_eq!(reason.as_deref(), Some("The webhook is switched off."));
    }
    assert_eq!(outbox.state_of(beside).await.0, "pending");
    assert!(outbox.claim(second(3), 100).await.is_empty());
    // One of them is resent before its row is rewritten.
    let resent = outbox.storage.resend(outbox.company.into(), ids[MANY - 1], second(3)).await;
    assert!(matches!(resent.expect("resent"), ResendOutcome::Accepted(_)));
    assert_eq!(outbox.attempt(second(3), NextStep::Succeeded).await.delivery_id, ids[MANY - 1]);
    assert_eq!(numbers(&outbox).await, [("pending", 2), ("succeeded", 1), ("skipped", 1002)]);
    outbox.switch(webhook, true, 4).await;
    let fresh = outbox.due(webhook, 1, 0, second(4))[0];
    assert_eq!(outbox.attempt(second(5), NextStep::Exhausted).await.delivery_id, fresh);
    assert!(outbox.claim(second(6), 100).await.is_empty());
    // Deliveries that were skipped before this time stay skipped.
    let recover = async |since, at| {
        outbox.storage.recover(outbox.company.into(), webhook, since, at).await.expect("recovered")
    };
    assert_eq!(recover(second(3), second(7)).await, Some(1));
    assert_eq!(recover(second(0), second(8)).await, Some(1002));
    assert_eq!(recover(second(0), second(9)).await, Some(0));
    assert_eq!(numbers(&outbox).await, [("pending", 1000), ("in_progress", 5), ("succeeded", 1)]);
    assert_eq!(outbox.state_of(ids[500]).await, ("pending", Some(second(8)), None));
    settle(&outbox).await;
    let nobody = InstanceId::new(Uuid::nil());
    assert!(!outbox.storage.look(nobody).await.expect("a look").is_unsettled);
    let again = outbox.claim(second(10), 100).await;
    // The attempts that began before the webhook was switched off still run.
    assert_eq!((again.len(), again[0].trigger), (3, Trigger::Recover));
}

#[tokio::test(flavor = "multi_thread")]
async fn recovered_deliveries_are_skipped_again_before_their_rows_are_rewritten() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let ids = outbox.due(webhook, MANY, 0, second(0));
    outbox.switch(webhook, false, 1).await;
    settle(&outbox).await;
    let recover = async |since, at| {
        outbox.storage.recover(outbox.company.into(), webhook, since, at).await.expect("recovered")
    };
    assert_eq!(recover(second(0), second(2)).await, Some(1000));
    assert_eq!(numbers(&outbox).await, [("pending", 1000)]);
    outbox.switch(webhook, true, 3).await;
    outbox.switch(webhook, false, 4).await;
    assert_eq!(numbers(&outbox).await, [("skipped", 1000)]);
    assert_eq!(recover(second(5), second(6)).await, Some(0));
    assert_eq!(recover(second(4), second(6)).await, Some(1000));
    settle(&outbox).await;
    assert_eq!(outbox.state_of(ids[7]).await, ("pending", Some(second(6)), None));
    // A disabled webhook gets deliveries that a user resends.
    assert_eq!(outbox.claim(second(7), 3).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_with_a_backlog_is_deleted_at_once() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let ids = outbox.due(webhook, MANY, 0, second(0));
    assert!(
        WebhookStore::delete(&outbox.storage, outbox.company.into(), webhook, second(1))
            .await
            .expect("deleted")
    );
    assert_eq!(numbers(&outbox).await, [("cancelled", 1000)]);
    let read = async |place: usize| {
        let read = outbox.storage.read_delivery(outbox.company, ids[place]).await.expect("a read");
        read.expect("a delivery")
    };
    for place in [0, MANY - 1] {
        let detail = read(place).await;
        assert_eq!(detail.delivery.reason.as_deref(), Some("The webhook was deleted."));
        assert_eq!(detail.payload, None);
    }
    settle(&outbox).await;
    assert_eq!(read(MANY - 1).await.delivery.state.as_str(), "cancelled");
    let query = DeliveriesQuery { webhook_id: Some(webhook), ..DeliveriesQuery::default() };
    let page = outbox.storage.list_deliveries(outbox.company, query).await.expect("a list");
    assert_eq!(page.meta.total, 1000);
    let before = outbox.storage.purge(second(50), 600).await.expect("purged");
    assert_eq!((before, numbers(&outbox).await), (600, vec![("cancelled", 400)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gone_receiver_with_a_backlog_is_recorded_at_once() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, MANY, 0, second(0));
    outbox.attempt(second(1), NextStep::Gone).await;
    assert_eq!(numbers(&outbox).await, [("exhausted", 1), ("skipped", 999)]);
    settle(&outbox).await;
}
