//! Companies take turns; receivers that do not answer get fewer attempts; crashed instances lose their leases.

use crate::sample::operator;
use std::collections::BTreeMap;

use contact_hub_domain::ids::{CompanyId, InstanceId};
use contact_hub_domain::webhooks::{
    AttemptOutcome, Claim, Claimed, Dead, DeliveryQueue, ErrorClass, NextStep, Taken, Walk,
    WebhookStore,
};
use contact_hub_storage::Inspection;
use uuid::Uuid;

use super::outbox::{Outbox, claim_at, ended, second, secret, webhook};
use crate::sample::{MANY, stored_company};

/// Stored webhooks of a new company, each with this much due.
async fn company(outbox: &mut Outbox, webhooks: usize, due: usize) -> CompanyId {
    let company = stored_company(&outbox.storage).await.id;
    let first = std::mem::replace(&mut outbox.company, company);
    for _ in 0..webhooks {
        let made = webhook(company);
        WebhookStore::create(&outbox.storage, operator(), made.clone(), secret(1), MANY)
            .await
            .expect("a webhook");
        outbox.due(made.id, due, 0, second(0));
    }
    outbox.company = first;
    company
}

fn by_company(claimed: &[Claimed]) -> BTreeMap<CompanyId, usize> {
    claimed.iter().fold(BTreeMap::new(), |mut counts, claimed| {
        *counts.entry(claimed.company).or_default() += 1;
        counts
    })
}

async fn claim(outbox: &Outbox, claim: Claim) -> Taken {
    outbox.storage.claim(claim).await.expect("a claim")
}

#[tokio::test(flavor = "multi_thread")]
async fn companies_take_turns_within_their_share() {
    let mut outbox = Outbox::new().await;
    let large = company(&mut outbox, 30, 5).await;
    let small = company(&mut outbox, 1, 5).await;
    let share = |limit| Claim { per_company: 10, reserved: 4, ..claim_at(second(1), limit) };
    let first = claim(&outbox, share(8)).await.claimed;
    // Half of it is reserved for companies without attempts in progress, of which there are two.
    assert_eq!(by_company(&first), BTreeMap::from([(large, 2), (small, 2)]));
    let second_ones = claim(&outbox, share(100)).await.claimed;
    assert_eq!(by_company(&second_ones), BTreeMap::from([(large, 8), (small, 3)]));
    // The large company has its share, and new deliveries of others are claimed at once.
    let third = company(&mut outbox, 1, 1).await;
    let rest = claim(&outbox, share(4)).await.claimed;
    assert_eq!(by_company(&rest), BTreeMap::from([(third, 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_visits_all_companies_and_webhooks_in_turn() {
    let mut outbox = Outbox::new().await;
    for _ in 0..70 {
        company(&mut outbox, 1, 1).await;
    }
    let large = company(&mut outbox, 140, 1).await;
    let (mut walk, mut claimed, mut claims) = (Walk::default(), Vec::new(), 0);
    while claimed.len() < 210 {
        claims += 1;
        assert!(claims < 10, "{} of 210", claimed.len());
        let taken = claim(&outbox, Claim { walk, ..claim_at(second(1), 500) }).await;
        claimed.extend(taken.claimed);
        walk = taken.walk;
    }
    assert_eq!(by_company(&claimed)[&large], 140);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_has_at_most_its_share() {
    let mut outbox = Outbox::new().await;
    company(&mut outbox, 5, 5).await;
    let hosts = vec![("receiver.example".to_owned(), 6)];
    let bounded = Claim { per_host: 10, hosts, ..claim_at(second(1), 100) };
    assert_eq!(claim(&outbox, bounded).await.claimed.len(), 4);
    let hosts = vec![("receiver.example".to_owned(), 10), ("other.example".to_owned(), 5)];
    let full = Claim { per_host: 10, hosts, ..claim_at(second(1), 100) };
    assert!(claim(&outbox, full).await.claimed.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_does_not_answer_gets_fewer_attempts_until_it_does() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 40, 0, second(0));
    let silent = |claimed: &Claimed, at| {
        let mut silent = ended(claimed, second(at), NextStep::RetryAt(second(9999)));
        silent.attempt.result.outcome = AttemptOutcome::Failed(ErrorClass::Timeout);
        silent
    };
    let claimed = outbox.claim(second(1), 100).await;
    assert_eq!(claimed.len(), 8);
    let done = claimed[..4].iter().map(|it| silent(it, 1)).collect();
    outbox.storage.record(done).await.expect("recorded");
    // All four permitted attempts are in progress.
    assert!(outbox.claim(second(2), 100).await.is_empty());
    let done = claimed[4..].iter().map(|it| silent(it, 1)).collect();
    outbox.storage.record(done).await.expect("recorded");
    assert!(outbox.claim(second(2), 100).await.is_empty(), "it is paused for a second");
    assert_eq!(late(&outbox), 0, "they wait for the receiver");
    // A delivery that a user resends does not wait for the pause.
    let resent = claimed[0].delivery_id;
    outbox.storage.resend(outbox.company.into(), resent, second(2)).await.expect("resent");
    let by_hand = outbox.claim(second(2), 100).await;
    assert_eq!(by_hand.iter().map(|it| it.delivery_id).collect::<Vec<_>>(), [resent]);
    let again = outbox.claim(second(3), 100).await;
    assert_eq!(again.len(), 1, "one beside the other of two");
    let answered = ended(&again[0], second(3), NextStep::RetryAt(second(9999)));
    outbox.storage.record(vec![answered]).await.expect("recorded");
    assert!(late(&outbox) > 0, "they wait for an instance");
    assert_eq!(outbox.claim(second(5), 100).await.len(), 7, "eight beside the resent one");
}

/// The deliveries that an hour later have waited too long.
fn late(outbox: &Outbox) -> u64 {
    let mut inspection = Inspection::open(&outbox.database.url()).expect("it connects");
    inspection.queues(second(3600)).expect("queues").late_deliveries
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_without_heartbeats_loses_its_leases() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 3, 0, second(0));
    let [dead, here] = [7, 8].map(|id| InstanceId::new(Uuid::from_u128(id)));
    let lost = claim(&outbox, Claim { instance: dead, ..claim_at(second(10), 2) }).await.claimed;
    let sign = async || outbox.storage.look(here).await.expect("a look").oldest_sign;
    assert_eq!(sign().await, Some(second(10)));
    outbox.storage.sign(dead, second(11)).await.expect("a sign");
    assert_eq!(sign().await, Some(second(11)));
    let take_over = async |until| {
        let dead = Dead { until: second(until), from: None };
        outbox.storage.take_over(here, dead).await.expect("taken over")
    };
    assert_eq!(take_over(10).await, 0);
    assert_eq!(take_over(11).await, 2);
    assert_eq!(sign().await, None);
    let again = claim(&outbox, Claim { instance: here, ..claim_at(second(13), 9) }).await.claimed;
    assert_eq!(again.len(), 3);
    // The instance was only slow, and its results arrive too late.
    let late = lost.iter().map(|it| ended(it, second(12), NextStep::Succeeded)).collect();
    outbox.storage.record(late).await.expect("recorded");
    assert_eq!(outbox.state_of(lost[0].delivery_id).await.0, "in_progress");
    outbox.storage.leave(here).await.expect("left");
    assert_eq!(outbox.storage.look(dead).await.expect("a look").oldest_sign, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_crashed_with_its_clock_ahead_loses_its_leases() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 3, 0, second(0));
    let [ahead, right, here] = [7, 8, 9].map(|id| InstanceId::new(Uuid::from_u128(id)));
    for (instance, at) in [(ahead, 300), (right, 10)] {
        claim(&outbox, Claim { instance, limit: 1, ..claim_at(second(at), 9) }).await;
    }
    let look = outbox.storage.look(here).await.expect("a look");
    assert_eq!((look.oldest_sign, look.newest_sign), (Some(second(10)), Some(second(300))));
    let dead = Dead { until: second(9), from: Some(second(300)) };
    let taken_over = outbox.storage.take_over(here, dead).await.expect("taken over");
    assert_eq!(taken_over, 1);
    let look = outbox.storage.look(here).await.expect("a look");
    assert_eq!((look.oldest_sign, look.newest_sign), (Some(second(10)), Some(second(10))));
    let again = claim(&outbox, Claim { instance: here, ..claim_at(second(11), 9) }).await.claimed;
    assert_eq!(again.len(), 2, "the third is with the one whose clock is right");
}
