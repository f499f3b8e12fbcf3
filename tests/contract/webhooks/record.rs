//! Records: attempts, states, health, and the deletion of old data.

use std::time::Duration;

use contact_hub_domain::access::{AccessStore, Permission, User};
use contact_hub_domain::alerts::{AlertChoice, AlertKind, AlertQueue, AlertStore, ClaimMails};
use contact_hub_domain::ids::LeaseId;
use contact_hub_domain::webhooks::{
    AttemptOutcome, DeliveryQueue, DisabledReason, Health, HealthNews, NextStep, ResendOutcome,
    Trigger, WebhookChange, WebhookStore,
};

use uuid::Uuid;

use super::outbox::{Outbox, ended, second};
use crate::sample::{MANY, author, operator, user};

const DAY: i64 = 86_400;

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_is_stored_with_all_details() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let id = outbox.due(webhook, 1, 0, second(0))[0];
    outbox.attempt(second(1), NextStep::RetryAt(second(9))).await;
    assert_eq!(outbox.state_of(id).await, ("retrying", Some(second(9)), None));
    let claimed = outbox.attempt(second(9), NextStep::Exhausted).await;
    assert_eq!((claimed.number, claimed.retries), (2, 1));
    assert_eq!(outbox.state_of(id).await.0, "exhausted");
    let detail = outbox.storage.read_delivery(outbox.company, id).await.expect("a read");
    let detail = detail.expect("a delivery");
    assert_eq!((detail.delivery.attempts, detail.attempts.len()), (2, 2));
    assert_eq!(detail.payload.as_deref(), Some("{\"ä\": 1}"));
    let first = &detail.attempts[0];
    let input = ended(&claimed, second(1), NextStep::Exhausted).attempt.result;
    assert_eq!((first.number, first.trigger, &first.result), (1, Trigger::Scheduled, &input));
    assert_eq!(first.result.outcome, AttemptOutcome::Answered(500));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_latest_attempts_of_a_delivery_are_kept() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let id = outbox.due(webhook, 1, 0, second(0))[0];
    for number in 1..=203 {
        outbox.attempt(second(number), NextStep::RetryAt(second(number + 1))).await;
    }
    let detail = outbox.storage.read_delivery(outbox.company, id).await.expect("a read");
    let detail = detail.expect("a delivery");
    assert_eq!(detail.delivery.attempts, 203);
    let numbers: Vec<u32> = detail.attempts.iter().map(|attempt| attempt.number).collect();
    assert_eq!(numbers, (4..=203).collect::<Vec<_>>());
    assert_eq!(outbox.number_in("delivery_attempts", "true"), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_attempts_are_recorded_in_a_constant_number_of_statements() {
    let outbox = Outbox::new().await;
    let mut costs = Vec::new();
    for webhooks in [1, 6] {
        for _ in 0..webhooks {
            let webhook = outbox.webhook().await;
            // With one more failure, the webhooks would count as failing, which causes one alert.
            outbox.due(webhook, 4, 0, second(0));
        }
        let before = outbox.storage.statements();
        let claimed = outbox.claim(second(1), 100).await;
        let done = claimed.iter().map(|it| ended(it, second(1), NextStep::Exhausted)).collect();
        outbox.storage.record(done).await.expect("recorded");
        assert_eq!(claimed.len(), 4 * webhooks);
        costs.push(outbox.storage.statements() - before);
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_of_many_webhooks_that_start_to_fail_take_as_many_statements_as_one() {
    let mut costs = Vec::new();
    for webhooks in [1, 6] {
        let outbox = Outbox::new().await;
        let (company, chosen) = (outbox.company, AlertKind::WebhookFailing);
        let permissions = [Permission::ManageIntegrations].into_iter().collect();
        let ann = User { permissions, ..user(company, "ann@acme.example") };
        outbox.storage.create_user(operator(), ann.clone(), MANY).await.expect("a user");
        let choices = [(chosen, AlertChoice { by_email: true, by_webhook: true })];
        let choices = choices.into_iter().collect();
        outbox.storage.choose(author(company, ann.id), ann.id, choices, second(0)).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..webhooks {
            let webhook = outbox.webhook().await;
            outbox.due(webhook, 5, 0, second(0));
            ids.push(webhook.uuid());
        }
        let claimed = outbox.claim(second(1), 100).await;
        let done = claimed.iter().map(|it| ended(it, second(1), NextStep::Exhausted)).collect();
        let before = outbox.storage.statements();
        let news = outbox.storage.record(done).await.expect("recorded");
        costs.push(outbox.storage.statements() - before);
        assert_eq!(news.len(), webhooks);
        let mails = AlertQueue::claim(&outbox.storage, claim_of_mails()).await.expect("a claim");
        let mut alerted: Vec<_> = mails[0].alerts.iter().filter_map(|it| it.object).collect();
        alerted.sort_unstable();
        ids.sort_unstable();
        assert_eq!((mails.len(), alerted), (1, ids));
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_webhooks_with_gone_receivers_are_disabled_in_a_constant_number_of_statements() {
    let outbox = Outbox::new().await;
    let mut costs = Vec::new();
    for webhooks in [2, 6] {
        let (mut first, mut waiting) = (Vec::new(), Vec::new());
        for _ in 0..webhooks {
            let webhook = outbox.webhook().await;
            first.push(outbox.due(webhook, 1, 0, second(0))[0]);
            outbox.due(webhook, 1, 1, second(1));
            waiting.extend(outbox.due(webhook, 3, 0, second(500)));
        }
        let claimed = outbox.claim(second(1), 100).await;
        let (gone, running): (Vec<_>, Vec<_>) =
            claimed.iter().partition(|it| first.contains(&it.delivery_id));
        let done = gone.iter().map(|it| ended(it, second(1), NextStep::Gone)).collect();
        let before = outbox.storage.statements();
        let news = outbox.storage.record(done).await.expect("recorded");
        costs.push(outbox.storage.statements() - before);
        assert_eq!((news.len(), running.len()), (webhooks, webhooks));
        let closed = waiting.iter().chain(running.iter().map(|it| &it.delivery_id));
        for id in closed.clone() {
            let (state, next, reason) = outbox.state_of(*id).await;
            assert_eq!((state, next), ("skipped", None));
            assert_eq!(reason.as_deref(), Some(DisabledReason::Gone.sentence()));
        }
        while outbox.storage.settle(100, Duration::MAX).await.expect("settled") {}
        for id in closed {
            assert_eq!(outbox.state_of(*id).await.0, "skipped");
        }
        assert!(outbox.claim(second(600), 100).await.is_empty());
    }
    assert_eq!(costs[0], costs[1]);
}

fn claim_of_mails() -> ClaimMails {
    ClaimMails {
        lease: LeaseId::new(Uuid::now_v7()),
        batches: vec![Uuid::now_v7()],
        now: second(900),
        collect: Duration::from_mins(5),
        hold: Duration::from_mins(2),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gone_receiver_leaves_no_open_deliveries() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let waiting = outbox.due(webhook, 1, 2, second(50))[0];
    let ids = outbox.due(webhook, 2, 0, second(0));
    let claimed = outbox.claim(second(1), 9).await;
    let gone = ended(&claimed[0], second(1), NextStep::Gone);
    let news = outbox.storage.record(vec![gone]).await.expect("recorded");
    assert_eq!(news[0].webhook_id, webhook);
    assert_eq!(news[0].news, HealthNews::SwitchedOff(DisabledReason::Gone));
    assert_eq!(outbox.state_of(ids[0]).await.0, "exhausted");
    assert_eq!(outbox.state_of(ids[1]).await.0, "skipped");
    assert_eq!(outbox.state_of(waiting).await.0, "skipped");
    let read = WebhookStore::read(&outbox.storage, outbox.company, webhook, second(2)).await;
    let read = read.expect("a read").expect("it");
    assert_eq!(read.health.disabled, Some(DisabledReason::Gone));
    assert_eq!(read.updated_at, second(2));
    // The other one was in progress; its failure changes nothing, whereas a success would.
    let failed = ended(&claimed[1], second(1), NextStep::RetryAt(second(9)));
    outbox.storage.record(vec![failed]).await.expect("recorded");
    assert_eq!(outbox.state_of(ids[1]).await.0, "skipped");
    assert_eq!(outbox.next_due().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_days_without_a_success_disable_a_webhook() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let mut shown = Vec::new();
    for n in 0..=10 {
        let now = second(n * DAY / 2);
        outbox.due(webhook, 1, 0, now);
        let claimed = outbox.claim(now, 1).await;
        let failed = ended(&claimed[0], now, NextStep::Exhausted);
        let news = outbox.storage.record(vec![failed]).await.expect("recorded");
        shown.extend(news.into_iter().map(|notice| (n, notice.news)));
    }
    let off = HealthNews::SwitchedOff(DisabledReason::Failing);
    assert_eq!(shown, [(4, HealthNews::Failing), (5, HealthNews::Warned), (10, off)]);
    let on = WebhookChange { switched: Some(Health::switched(true)), ..WebhookChange::default() };
    let now = second(6 * DAY);
    let changed =
        WebhookStore::change(&outbox.storage, outbox.company.into(), webhook, on, now).await;
    assert_eq!(changed.expect("changed").expect("it").health, Health::switched(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_success_resets_the_health_of_a_webhook() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    for n in 0..6 {
        outbox.due(webhook, 1, 0, second(n * DAY));
        outbox.attempt(second(n * DAY), NextStep::Exhausted).await;
    }
    let health = async || {
        let read = WebhookStore::read(&outbox.storage, outbox.company, webhook, second(0)).await;
        read.expect("a read").expect("a webhook").health
    };
    assert!(health().await.warning && health().await.failed_attempts == 6);
    assert_eq!(health().await.failing_since, Some(second(0)));
    outbox.due(webhook, 1, 0, second(7 * DAY));
    outbox.attempt(second(7 * DAY), NextStep::Succeeded).await;
    assert_eq!(health().await, Health::switched(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resent_delivery_restarts_its_schedule() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let id = outbox.due(webhook, 1, 4, second(0))[0];
    outbox.attempt(second(1), NextStep::Exhausted).await;
    let resent = outbox.storage.resend(outbox.company.into(), id, second(5)).await.expect("resent");
    assert!(matches!(resent, ResendOutcome::Accepted(_)));
    assert_eq!(outbox.state_of(id).await, ("pending", Some(second(5)), None));
    let claimed = outbox.attempt(second(6), NextStep::RetryAt(second(9))).await;
    assert_eq!((claimed.number, claimed.retries), (6, 0));
    assert_eq!(claimed.trigger, Trigger::Resend);
    let retry = outbox.claim(second(9), 1).await.pop().expect("a retry");
    assert_eq!((retry.number, retry.retries, retry.trigger), (7, 1, Trigger::Scheduled));
    // Resent while it is in progress: it is tried once more if the running attempt fails.
    outbox.storage.resend(outbox.company.into(), id, second(9)).await.expect("resent");
    assert_eq!(outbox.state_of(id).await.0, "in_progress");
    let failed = ended(&retry, second(9), NextStep::Exhausted);
    outbox.storage.record(vec![failed]).await.expect("recorded");
    assert_eq!(outbox.state_of(id).await, ("pending", Some(second(10)), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_webhook_only_gets_what_a_user_resends() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let ids = outbox.due(webhook, 2, 0, second(0));
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let changed =
        WebhookStore::change(&outbox.storage, outbox.company.into(), webhook, off, second(1));
    assert!(!changed.await.expect("changed").expect("it").health.is_enabled());
    let stray = outbox.due(webhook, 1, 0, second(0))[0];
    assert!(outbox.claim(second(2), 9).await.is_empty());
    assert_eq!(outbox.state_of(stray).await.0, "pending");
    assert_eq!(outbox.state_of(ids[0]).await.0, "skipped");
    outbox.storage.resend(outbox.company.into(), ids[0], second(3)).await.expect("resent");
    outbox.attempt(second(4), NextStep::RetryAt(second(9))).await;
    assert_eq!(outbox.state_of(ids[0]).await.0, "skipped");
    let recovered =
        outbox.storage.recover(outbox.company.into(), webhook, second(0), second(5)).await;
    assert_eq!(recovered.expect("recovered"), Some(2));
    outbox.attempt(second(6), NextStep::Succeeded).await;
    assert_eq!(outbox.state_of(ids[0]).await.0, "succeeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_deliveries_that_failed_since_the_given_time_are_recovered() {
    let outbox = Outbox::new().await;
    let (webhook, other) = (outbox.webhook().await, outbox.webhook().await);
    let mut ids = Vec::new();
    for (n, next) in
        [NextStep::Exhausted, NextStep::Exhausted, NextStep::Succeeded].into_iter().enumerate()
    {
        let now = second(10 * i64::try_from(n).expect("few"));
        ids.push(outbox.due(webhook, 1, 0, now)[0]);
        outbox.attempt(now, next).await;
    }
    let foreign = outbox.due(other, 1, 0, second(30))[0];
    outbox.attempt(second(30), NextStep::Exhausted).await;
    let recover = async |since, at| {
        outbox.storage.recover(outbox.company.into(), webhook, since, at).await.expect("recovered")
    };
    assert_eq!(recover(second(5), second(40)).await, Some(1));
    assert_eq!(outbox.state_of(ids[0]).await.0, "exhausted");
    assert_eq!(outbox.state_of(ids[1]).await.0, "pending");
    assert_eq!(outbox.state_of(foreign).await.0, "exhausted");
    assert_eq!(outbox.claim(second(41), 9).await[0].trigger, Trigger::Recover);
    assert_eq!(recover(second(50), second(50)).await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_deliveries_are_deleted_unless_they_are_open() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let open = outbox.due(webhook, 1, 5, second(90 * DAY))[0];
    let mut closed = Vec::new();
    for n in 0..3 {
        closed.push(outbox.due(webhook, 1, 0, second(n))[0]);
        outbox.attempt(second(n), NextStep::Exhausted).await;
    }
    let purge = async |before, limit| outbox.storage.purge(before, limit).await.expect("purged");
    assert_eq!(purge(second(1), 100).await, 0);
    assert_eq!(purge(second(60 * DAY), 2).await, 2);
    assert_eq!(purge(second(60 * DAY), 2).await, 1);
    assert_eq!(purge(second(60 * DAY), 2).await, 0);
    for id in closed {
        let read = outbox.storage.read_delivery(outbox.company, id).await.expect("a read");
        assert_eq!(read, None);
    }
    let kept = outbox.storage.read_delivery(outbox.company, open).await.expect("a read");
    assert!(kept.expect("it is open").payload.is_some());
}
