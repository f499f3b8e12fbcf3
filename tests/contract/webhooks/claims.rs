//! Claims: no instance gets a delivery that another one holds, webhooks take turns, leases expire.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_domain::ids::{InstanceId, WebhookId};
use contact_hub_domain::webhooks::{
    Backlog, Claim, Claimed, DeliveryQueue, NextStep, Prefetch, Trigger,
};
use uuid::Uuid;

use super::outbox::{Outbox, claim_at, ended, second};

fn per_webhook(claimed: &[Claimed]) -> BTreeMap<WebhookId, usize> {
    claimed.iter().fold(BTreeMap::new(), |mut counts, claimed| {
        *counts.entry(claimed.webhook_id).or_default() += 1;
        counts
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_never_overlap_and_take_at_most_eight_for_each_webhook() {
    let outbox = Outbox::new().await;
    let mut webhooks = Vec::new();
    for _ in 0..5 {
        let webhook = outbox.webhook().await;
        outbox.due(webhook, 30, 0, second(0));
        webhooks.push(webhook);
    }
    let second_instance = outbox.database.storage();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..12 {
        let storage = if n % 2 == 0 { outbox.storage.clone() } else { second_instance.clone() };
        tasks.spawn(async move {
            storage.claim(claim_at(second(1), 10)).await.expect("a claim").claimed
        });
    }
    let claimed: Vec<Claimed> = tasks.join_all().await.into_iter().flatten().collect();
    let ids: BTreeSet<_> = claimed.iter().map(|claimed| claimed.delivery_id).collect();
    assert_eq!(ids.len(), claimed.len(), "one delivery is held by two");
    assert!(per_webhook(&claimed).values().all(|held| *held <= 8));
    // A claim may have left a webhook to another one; afterwards everything that can be claimed is claimed.
    let rest = outbox.claim(second(2), 100).await;
    assert_eq!(claimed.len() + rest.len(), 40);
    assert!(outbox.claim(second(3), 100).await.is_empty());
}

/// A claim of an instance that prefetches up to 24 deliveries of a webhook.
fn ahead(instance: u128, webhook: WebhookId) -> Claim {
    let prefetch = Prefetch { webhooks: vec![webhook], per_webhook: 24, per_company: 1000 };
    let instance = InstanceId::new(Uuid::from_u128(instance));
    Claim { instance, prefetch, ..claim_at(second(1), 100) }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_holds_all_deliveries_of_a_webhook_prefetches_more() {
    let outbox = Outbox::new().await;
    let (quick, other) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(quick, 100, 0, second(0));
    outbox.due(other, 100, 0, second(0));
    let first = outbox.storage.claim(ahead(1, quick)).await.expect("a claim").claimed;
    let counts = per_webhook(&first);
    assert_eq!((counts[&quick], counts[&other]), (32, 8));
    // Another instance gets none of them until fewer are held than may be attempted at once.
    assert!(outbox.storage.claim(ahead(2, quick)).await.expect("a claim").claimed.is_empty());
    let ended_ones = first.iter().filter(|it| it.webhook_id == quick).take(30);
    let records = ended_ones.map(|it| ended(it, second(1), NextStep::Succeeded)).collect();
    outbox.storage.record(records).await.expect("recorded");
    let shared = outbox.storage.claim(ahead(2, quick)).await.expect("a claim").claimed;
    assert_eq!(per_webhook(&shared), BTreeMap::from([(quick, 6)]));
    assert!(outbox.storage.claim(ahead(1, quick)).await.expect("a claim").claimed.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn prefetched_deliveries_have_a_separate_share() {
    let outbox = Outbox::new().await;
    let (quick, other) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(quick, 100, 0, second(0));
    let share = |limit| {
        let mut claim = Claim { per_company: 10, limit, ..ahead(1, quick) };
        claim.prefetch.per_company = 15;
        claim
    };
    let first = outbox.storage.claim(share(100)).await.expect("a claim").claimed;
    assert_eq!(first.len(), 8 + 15);
    assert!(outbox.storage.claim(share(100)).await.expect("a claim").claimed.is_empty());
    // Eight attempts are in progress, so two of another webhook may be, and they come first.
    outbox.due(other, 5, 3, second(0));
    let ended_ones = first[..10].iter().map(|it| ended(it, second(1), NextStep::Succeeded));
    outbox.storage.record(ended_ones.collect()).await.expect("recorded");
    let next = outbox.storage.claim(share(4)).await.expect("a claim").claimed;
    assert_eq!(per_webhook(&next), BTreeMap::from([(other, 2), (quick, 2)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_with_room_for_attempts_comes_before_one_that_is_prefetched() {
    let outbox = Outbox::new().await;
    let (quick, other) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(quick, 40, 0, second(0));
    let limited = |limit| Claim { limit, ..ahead(1, quick) };
    assert_eq!(outbox.storage.claim(limited(10)).await.expect("a claim").claimed.len(), 10);
    outbox.due(other, 1, 0, second(1));
    let next = outbox.storage.claim(limited(1)).await.expect("a claim").claimed;
    assert_eq!(per_webhook(&next), BTreeMap::from([(other, 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_prefetched_until_the_attempts_of_all_webhooks_are_claimed() {
    let outbox = Outbox::new().await;
    let mut webhooks = Vec::new();
    for _ in 0..3 {
        let webhook = outbox.webhook().await;
        outbox.due(webhook, 30, 0, second(0));
        webhooks.push(webhook);
    }
    let share = |per_company| {
        let prefetch = Prefetch { webhooks: webhooks.clone(), per_webhook: 24, per_company: 1000 };
        Claim { per_company, prefetch, ..claim_at(second(1), 100) }
    };
    let few = outbox.storage.claim(share(10)).await.expect("a claim").claimed;
    let counts = per_webhook(&few);
    assert_eq!(few.len(), 10, "{counts:?}");
    assert!(counts.values().all(|held| (3..=4).contains(held)), "{counts:?}");
    // The attempts of all three are within this share, and 22 more of each were due.
    let rest = outbox.storage.claim(share(24)).await.expect("a claim").claimed;
    assert_eq!(rest.len(), 90 - 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_prefetched_for_a_receiver_that_does_not_answer() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 100, 0, second(0));
    outbox.execute("UPDATE webhooks SET slots = 4;");
    let claimed = outbox.storage.claim(ahead(1, webhook)).await.expect("a claim").claimed;
    assert_eq!(claimed.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_take_turns() {
    let outbox = Outbox::new().await;
    let busy = outbox.webhook().await;
    outbox.due(busy, 200, 0, second(0));
    let mut others = Vec::new();
    for _ in 0..3 {
        let other = outbox.webhook().await;
        outbox.due(other, 2, 0, second(5));
        others.push(other);
    }
    let claimed = outbox.claim(second(9), 8).await;
    let counts = per_webhook(&claimed);
    assert!(others.iter().all(|other| counts[other] == 2), "{counts:?}");
    assert_eq!(counts[&busy], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn first_attempts_come_before_retries_and_old_deliveries_before_new_ones() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let late = outbox.due(webhook, 10, 3, second(0));
    let young = outbox.due(webhook, 1, 0, second(7));
    let old = outbox.due(webhook, 1, 0, second(6));
    let order: Vec<_> = [
        outbox.claim(second(9), 1).await,
        outbox.claim(second(9), 1).await,
        outbox.claim(second(9), 1).await,
    ]
    .concat();
    let ids: Vec<_> = order.iter().map(|claimed| claimed.delivery_id).collect();
    assert_eq!(ids, [old[0], young[0], late[0]]);
    let retry = &order[2];
    assert_eq!((retry.number, retry.retries, retry.trigger), (4, 3, Trigger::Scheduled));
    let first = &order[0];
    assert_eq!((first.number, first.retries, first.payload.as_str()), (1, 0, "{\"ä\": 1}"));
    assert_eq!(first.url.as_str(), "https://receiver.example/hook");
    assert_eq!(first.secrets.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_due_deliveries_are_claimed() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 1, 1, second(10));
    assert!(outbox.claim(second(9), 9).await.is_empty());
    assert_eq!(outbox.next_due().await, Some(second(10)));
    assert_eq!(outbox.claim(second(10), 9).await.len(), 1);
    assert_eq!(outbox.next_due().await, Some(second(70)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_whose_lease_expired_is_claimed_again_with_the_same_number() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let id = outbox.due(webhook, 1, 0, second(0))[0];
    let lost = outbox.claim(second(1), 9).await.pop().expect("it is due");
    assert!(outbox.claim(second(60), 9).await.is_empty());
    let again = outbox.claim(second(61), 9).await.pop().expect("its lease has ended");
    assert_eq!((again.delivery_id, again.number), (id, lost.number));
    assert_ne!(again.lease, lost.lease);
    // The result of the first claim arrives too late.
    let late = ended(&lost, second(2), NextStep::Succeeded);
    outbox.storage.record(vec![late]).await.expect("recorded");
    assert_eq!(outbox.state_of(id).await.0, "in_progress");
    let held = ended(&again, second(62), NextStep::Succeeded);
    outbox.storage.record(vec![held]).await.expect("recorded");
    assert_eq!(outbox.state_of(id).await.0, "succeeded");
    assert_eq!(outbox.next_due().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_with_an_expired_lease_do_not_count_towards_the_maximum_of_eight() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 20, 0, second(0));
    assert_eq!(outbox.claim(second(1), 100).await.len(), 8);
    assert!(outbox.claim(second(2), 100).await.is_empty());
    assert_eq!(outbox.claim(second(99), 100).await.len(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn returned_deliveries_are_due_again() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let first = outbox.due(webhook, 1, 0, second(0))[0];
    let retry = outbox.due(webhook, 1, 2, second(0))[0];
    let claimed = outbox.claim(second(1), 9).await;
    let held: Vec<_> = claimed.iter().map(|it| (it.delivery_id, it.lease)).collect();
    outbox.storage.release(held.clone()).await.expect("released");
    assert_eq!(outbox.state_of(first).await.0, "pending");
    assert_eq!(outbox.state_of(retry).await.0, "retrying");
    let again = outbox.claim(second(2), 9).await;
    assert_eq!(again.iter().map(|it| it.number).collect::<Vec<_>>(), [1, 3]);
    // An expired lease returns nothing.
    outbox.storage.release(held).await.expect("released");
    assert_eq!(outbox.state_of(first).await.0, "in_progress");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_backlog_is_what_is_due_and_not_in_progress() {
    let outbox = Outbox::new().await;
    let backlog = async |at| outbox.storage.backlog(second(at)).await.expect("a look");
    assert_eq!(backlog(9).await, Backlog::default());
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 1, 0, second(2));
    outbox.due(webhook, 2, 1, second(5));
    outbox.due(webhook, 2, 1, second(50));
    assert_eq!(backlog(9).await, Backlog { due: 3, since: Some(second(2)) });
    assert_eq!(outbox.claim(second(9), 1).await.len(), 1);
    assert_eq!(backlog(9).await, Backlog { due: 2, since: Some(second(5)) });
}
