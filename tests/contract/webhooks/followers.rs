//! Webhooks that follow the feed: their events are created one after the other, using indexes.

use std::collections::HashSet;

use contact_hub_domain::ids::{DeliveryId, EventId, WebhookId};
use contact_hub_domain::webhooks::{
    Announced, Announcement, DeliveryQueue as _, EventKind, Follower, Health, NextStep,
    Subscriptions, Webhook, WebhookChange, WebhookStore as _,
};
use contact_hub_storage::{record_plans, take_plans};
use uuid::Uuid;

use super::outbox::{Outbox, claim_at, ended, second, secret, webhook};
use crate::sample::{MANY, operator};

const KIND: EventKind = EventKind::ContactsChanged;

/// A stored webhook that follows the feed for contacts.
async fn follower(outbox: &Outbox) -> Follower {
    follower_of(outbox, Health::switched(true)).await
}

async fn follower_of(outbox: &Outbox, health: Health) -> Follower {
    let events: Subscriptions = [KIND, EventKind::FieldsChanged].into_iter().collect();
    let webhook = Webhook { events, health, ..webhook(outbox.company) };
    let id = webhook.id;
    let created = outbox.storage.create(operator(), webhook, secret(1), MANY).await;
    assert!(created.expect("created"));
    Follower { webhook: id, kind: KIND }
}

async fn announce(outbox: &Outbox, follower: Follower) -> Announced {
    let announcement = Announcement {
        follower,
        event_id: EventId::new(Uuid::now_v7()),
        delivery_id: DeliveryId::new(Uuid::now_v7()),
        now: second(1),
    };
    outbox.storage.announce(announcement).await.expect("an answer")
}

async fn ready(outbox: &Outbox) -> Vec<(WebhookId, EventKind)> {
    let seen = outbox.storage.followers(None).await.expect("followers");
    assert!(seen.is_any && seen.more_after.is_none());
    seen.ready.into_iter().map(|it| (it.webhook, it.kind)).collect()
}

/// Writes entries of one transaction at the end of the feed.
fn append(outbox: &Outbox, count: usize) {
    let company = outbox.id(outbox.company.uuid());
    let (position, object) = if outbox.database.is_postgres() {
        let position =
            "SELECT pg_current_xact_id()::text::bigint + base AS position FROM change_base";
        (position.to_owned(), "CAST(entry.column2 AS uuid)")
    } else {
        let last = format!("SELECT max(position) FROM changes WHERE company_id = {company}");
        (format!("SELECT 1 + coalesce(({last}), 0) AS position"), "entry.column2")
    };
    let entries = (0..count).map(|ordinal| {
        let object = outbox.id(Uuid::from_u128(u128::try_from(ordinal).expect("small")));
        format!("({ordinal}, {object})")
    });
    let entries = entries.collect::<Vec<_>>().join(", ");
    let at = outbox.moment(second(0));
    // The position is queried once: PostgreSQL plans a subquery for each row of VALUES separately, which takes seconds
    // for a thousand.
    outbox.execute(&format!(
        "INSERT INTO changes (company_id, position, ordinal, type, at, object_id, actor_id, changed) \
         SELECT {company}, place.position, entry.column1, 'contact.updated', {at}, {object}, {object}, '[]' \
         FROM ({position}) AS place, (VALUES {entries}) AS entry;"
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_event_is_created_after_the_first_attempt_of_the_previous_one() {
    let outbox = Outbox::new().await;
    assert!(!outbox.storage.followers(None).await.expect("none").is_any);
    append(&outbox, 5);
    let follower = follower(&outbox).await;
    assert_eq!(ready(&outbox).await, []);
    assert_ne!(announce(&outbox, follower).await, Announced::Event);
    append(&outbox, 250);
    let other = Follower { kind: EventKind::FieldsChanged, ..follower };
    assert_eq!(
        ready(&outbox).await,
        [(follower.webhook, KIND), (follower.webhook, EventKind::FieldsChanged)]
    );
    assert_eq!(announce(&outbox, other).await, Announced::Passed);
    for (step, left) in
        [(NextStep::Succeeded, 1), (NextStep::RetryAt(second(900)), 1), (NextStep::Exhausted, 0)]
    {
        assert_eq!(announce(&outbox, follower).await, Announced::Event);
        assert_eq!(announce(&outbox, follower).await, Announced::Nothing);
        assert_eq!(ready(&outbox).await, []);
        let claimed = outbox.claim(second(2), 10).await.pop().expect("it is due");
        assert_eq!((claimed.webhook_id, claimed.kind), (follower.webhook, KIND));
        assert_eq!(announce(&outbox, follower).await, Announced::Nothing);
        let recorded = outbox.storage.record(vec![ended(&claimed, second(2), step)]).await;
        assert!(recorded.is_ok());
        assert_eq!(ready(&outbox).await.len(), left);
    }
    assert_ne!(announce(&outbox, follower).await, Announced::Event);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_has_few_followers_of_a_company_and_the_next_one_has_others() {
    let outbox = Outbox::new().await;
    let mut followers = HashSet::new();
    for _webhook in 0..15 {
        let follower = follower(&outbox).await;
        followers.extend([KIND, EventKind::FieldsChanged].map(|kind| (follower.webhook, kind)));
    }
    append(&outbox, 5);
    for expected in [20, 10] {
        let round = ready(&outbox).await;
        assert_eq!(round.len(), expected);
        for (webhook, kind) in round {
            assert!(followers.remove(&(webhook, kind)), "it is in one round only");
            announce(&outbox, Follower { webhook, kind }).await;
        }
    }
    assert_eq!(ready(&outbox).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_instances_create_one_event() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    append(&outbox, 1000);
    for _round in 0..10 {
        let made =
            futures_util::future::join_all((0..4).map(|_| announce(&outbox, follower))).await;
        assert_eq!(made.iter().filter(|it| **it == Announced::Event).count(), 1, "{made:?}");
        let claimed = outbox.storage.claim(claim_at(second(2), 10)).await.expect("a claim").claimed;
        assert_eq!(claimed.len(), 1);
        let ended = claimed.iter().map(|it| ended(it, second(2), NextStep::Succeeded));
        outbox.storage.record(ended.collect()).await.expect("recorded");
    }
    assert_ne!(announce(&outbox, follower).await, Announced::Event);
    assert_eq!(outbox.number_of("state = 'succeeded'"), 10);
}

/// Changes the webhook of a follower.
async fn change(outbox: &Outbox, follower: Follower, change: WebhookChange) {
    let by = outbox.company.into();
    let changed = outbox.storage.change(by, follower.webhook, change, second(1)).await;
    assert!(changed.expect("changed").is_some());
}

fn switched(on: bool) -> WebhookChange {
    WebhookChange { switched: Some(Health::switched(on)), ..WebhookChange::default() }
}

/// Makes all events that can be made, and returns how many.
async fn announced(outbox: &Outbox, follower: Follower) -> usize {
    let mut events = 0;
    while announce(outbox, follower).await == Announced::Event {
        events += 1;
    }
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_off_gets_skipped_deliveries_of_all_entries() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    append(&outbox, 250);
    change(&outbox, follower, switched(false)).await;
    append(&outbox, 7);
    assert_eq!(announced(&outbox, follower).await, 3);
    append(&outbox, 120);
    assert_eq!(announced(&outbox, follower).await, 2);
    assert_eq!(outbox.number_of("state = 'skipped'"), 5);
    change(&outbox, follower, switched(true)).await;
    assert_eq!(announced(&outbox, follower).await, 0, "all entries are recorded");
    append(&outbox, 1);
    assert_eq!(announced(&outbox, follower).await, 1);
    assert_eq!(outbox.number_of("state = 'pending'"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_its_receiver_switched_off_gets_skipped_deliveries() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    append(&outbox, 101);
    assert_eq!(announce(&outbox, follower).await, Announced::Event);
    outbox.attempt(second(2), NextStep::Gone).await;
    append(&outbox, 100);
    assert_eq!(announced(&outbox, follower).await, 2);
    assert_eq!(outbox.number_of("state = 'skipped'"), 2);
}

/// Earlier versions, which may still run beside this one, delete the cursors of a webhook that is off.
#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_without_a_cursor_gets_one_when_it_is_switched_on() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    change(&outbox, follower, switched(false)).await;
    outbox.execute("DELETE FROM feed_cursors;");
    append(&outbox, 5);
    change(&outbox, follower, switched(true)).await;
    append(&outbox, 1);
    assert_eq!(announced(&outbox, follower).await, 1);
    assert_eq!(outbox.number_of("state = 'pending'"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_was_created_off_gets_skipped_deliveries() {
    let outbox = Outbox::new().await;
    let follower = follower_of(&outbox, Health::switched(false)).await;
    append(&outbox, 5);
    assert_eq!(announced(&outbox, follower).await, 1);
    assert_eq!(outbox.number_of("state = 'skipped'"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_for_which_no_event_was_made_before_a_webhook_was_switched_on_are_sent() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    change(&outbox, follower, switched(false)).await;
    append(&outbox, 5);
    change(&outbox, follower, switched(true)).await;
    append(&outbox, 1);
    assert_eq!(announced(&outbox, follower).await, 1);
    assert_eq!(outbox.number_of("state = 'pending'"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_from_before_an_event_was_unsubscribed_are_sent() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    append(&outbox, 5);
    let events = Some([EventKind::FieldsChanged].into_iter().collect());
    change(&outbox, follower, WebhookChange { events, ..WebhookChange::default() }).await;
    append(&outbox, 7);
    assert_eq!(announced(&outbox, follower).await, 1);
    assert_eq!(outbox.number_of("state = 'pending'"), 1);
    outbox.attempt(second(2), NextStep::Succeeded).await;
    assert_eq!(announced(&outbox, follower).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn checking_for_entries_and_creating_an_event_use_indexes() {
    let outbox = Outbox::new().await;
    let mut followers = Vec::new();
    for _webhook in 0..20 {
        followers.push(follower(&outbox).await);
    }
    for _transaction in 0..6 {
        append(&outbox, 1000);
    }
    assert_eq!(announce(&outbox, followers[0]).await, Announced::Event);
    outbox.due(followers[1].webhook, 3000, 0, second(0));
    if outbox.database.is_postgres() {
        outbox.execute(
            "ANALYZE changes; ANALYZE deliveries; ANALYZE feed_cursors; ANALYZE webhooks;",
        );
    }
    let url = outbox.database.url();
    drop(take_plans(&url));
    record_plans(&url);
    assert_eq!(ready(&outbox).await.len(), 20);
    let _made = announce(&outbox, followers[1]).await;
    let plans = take_plans(&url);
    record_plans(&url);
    for it in plans.iter().filter(|it| it.statement.starts_with("SELECT")) {
        let offends = it.plan.iter().find(|line| {
            let scans = [
                "Seq Scan on changes",
                "Seq Scan on deliveries",
                "SCAN changes",
                "SCAN deliveries",
            ];
            scans.iter().any(|bad| line.contains(bad)) || line.contains("TEMP B-TREE")
        });
        assert_eq!(offends, None, "{}\n{:#?}", it.statement, it.plan);
    }
    assert!(plans.iter().any(|it| it.statement.contains("feed_cursors")));
}

#[tokio::test(flavor = "multi_thread")]
async fn retention_deletes_the_contact_ids_of_an_event() {
    let outbox = Outbox::new().await;
    let follower = follower(&outbox).await;
    append(&outbox, 7);
    assert_eq!(announce(&outbox, follower).await, Announced::Event);
    outbox.attempt(second(2), NextStep::Succeeded).await;
    let count = |count: usize| {
        outbox.execute(&format!(
            "CREATE TABLE counted (n integer CHECK (n = {count})); \
             INSERT INTO counted SELECT count(*) FROM event_contacts; DROP TABLE counted;"
        ));
    };
    count(7);
    outbox.storage.purge(second(100), 10).await.expect("purged");
    count(0);
}
