//! Searches of deliveries.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    AttemptOutcome, DeliveriesQuery, DeliverySearch, DeliveryState, EventKind, FoundDeliveries,
    Health, NextStep, SEARCHED, WebhookChange, WebhookStore,
};
use contact_hub_storage::{RecordedPlan, record_plans, take_plans};
use uuid::Uuid;

use super::outbox::{Outbox, second};

impl Outbox {
    async fn search(&self, search: DeliverySearch) -> FoundDeliveries {
        self.storage.search_deliveries(self.company, search).await.expect("a search")
    }

    async fn found(&self, search: DeliverySearch) -> Vec<DeliveryId> {
        let found = self.search(search).await.page;
        let ids: Vec<_> = found.items.iter().map(|it| it.delivery.id).collect();
        assert_eq!(found.meta.total, u64::try_from(ids.len()).expect("few"));
        ids
    }

    /// Sets the creation time of a delivery, and gives it an id of this time.
    fn created_at(&self, old: DeliveryId, at: Timestamp) -> DeliveryId {
        let millis = u128::try_from(at.micros() / 1000).expect("after 1970");
        let low = old.uuid().as_u128() & ((1 << 80) - 1);
        let new = DeliveryId::new(Uuid::from_u128(millis << 80 | low));
        self.execute(&format!(
            "UPDATE deliveries SET id = {}, created_at = {} WHERE id = {};",
            self.id(new.uuid()),
            self.moment(at),
            self.id(old.uuid())
        ));
        new
    }

    fn set_kind(&self, id: DeliveryId, kind: EventKind) {
        let (id, kind) = (self.id(id.uuid()), kind.as_str());
        self.execute(&format!("UPDATE deliveries SET kind = '{kind}' WHERE id = {id};"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_on_time_event_state_and_webhook_are_combined() {
    let outbox = Outbox::new().await;
    let (webhook, other) = (outbox.webhook().await, outbox.webhook().await);
    let hour = |n: i64| second(3600 * n);
    let mut ids = Vec::new();
    for n in 0..4 {
        let id = outbox.due(webhook, 1, 0, second(0))[0];
        ids.push(outbox.created_at(id, hour(n)));
    }
    let foreign = outbox.created_at(outbox.due(other, 1, 0, second(0))[0], hour(1));
    outbox.set_kind(ids[1], EventKind::ContactsChanged);
    let any = DeliverySearch::default();
    let between = DeliverySearch { from: Some(hour(1)), to: Some(hour(3)), ..any };
    let mut both = [ids[1], foreign];
    both.sort();
    assert_eq!(outbox.found(between).await, [ids[2], both[1], both[0]]);
    let kind = Some(EventKind::ContactsChanged);
    assert_eq!(outbox.found(DeliverySearch { kind, ..any }).await, [ids[1]]);
    let query = DeliveriesQuery { webhook_id: Some(other), ..DeliveriesQuery::default() };
    assert_eq!(outbox.found(DeliverySearch { query, ..between }).await, [foreign]);
    let of_state = |state| {
        let query = DeliveriesQuery { state: Some(state), ..DeliveriesQuery::default() };
        DeliverySearch { query, kind, ..any }
    };
    assert_eq!(outbox.found(of_state(DeliveryState::Pending)).await, [ids[1]]);
    assert_eq!(outbox.found(of_state(DeliveryState::Succeeded)).await, []);
    // Disabling the webhook takes effect at once, before the rows are rewritten.
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let by = outbox.company.into();
    let changed = WebhookStore::change(&outbox.storage, by, webhook, off, second(9)).await;
    assert!(changed.expect("changed").is_some());
    assert_eq!(outbox.found(of_state(DeliveryState::Skipped)).await, [ids[1]]);
    assert_eq!(outbox.found(of_state(DeliveryState::Pending)).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_found_by_their_id_event_id_and_sync_id() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let ids = outbox.due(webhook, 2, 0, second(0));
    let _others = outbox.due(webhook, 2, 0, second(0));
    let read = outbox.storage.read_delivery(outbox.company, ids[0]).await.expect("a read");
    let delivery = read.expect("a delivery").delivery;
    let with = |id: Uuid| DeliverySearch { id: Some(id), ..DeliverySearch::default() };
    assert_eq!(outbox.found(with(ids[0].uuid())).await, [ids[0]]);
    let both = [ids[1], ids[0]];
    assert_eq!(outbox.found(with(delivery.event_id.uuid())).await, both);
    assert_eq!(outbox.found(with(delivery.sync_id.expect("a sync").uuid())).await, both);
    assert_eq!(outbox.found(with(webhook.uuid())).await, []);
    let foreign = crate::sample::stored_company(&outbox.storage).await.id;
    let search = outbox.storage.search_deliveries(foreign, with(ids[0].uuid())).await;
    assert_eq!(search.expect("a search").page.items, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_the_last_attempt() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 1, 0, second(0));
    let last = async || outbox.search(DeliverySearch::default()).await.page.items[0].last;
    assert_eq!(last().await, None);
    outbox.attempt(second(1), NextStep::RetryAt(second(9))).await;
    outbox.attempt(second(9), NextStep::Succeeded).await;
    let (outcome, took) = last().await.expect("an attempt");
    assert_eq!((outcome, took.as_secs()), (AttemptOutcome::Answered(200), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_bounded_and_can_be_continued() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let old = outbox.due(webhook, 1, 0, second(0))[0];
    outbox.set_kind(old, EventKind::Test);
    let count = usize::try_from(SEARCHED).expect("few");
    outbox.due(webhook, count, 0, second(0));
    if outbox.database.is_postgres() {
        outbox.execute("ANALYZE deliveries");
    }
    record_plans(&outbox.database.url());
    let search = DeliverySearch { kind: Some(EventKind::Test), ..DeliverySearch::default() };
    let found = outbox.search(search).await;
    assert_eq!(found.page.items, []);
    let (_, before) = found.searched_until.expect("there are more");
    let rest = outbox.search(DeliverySearch { before: Some(before), ..search }).await;
    assert_eq!((rest.page.items[0].delivery.id, rest.searched_until), (old, None));
    let plans = take_plans(&outbox.database.url());
    let walks = |plan: &RecordedPlan| {
        plan.statement.contains("newest")
            && plan.plan.iter().any(|line| line.contains("deliveries_by_company"))
    };
    assert!(plans.iter().any(walks), "{plans:#?}");
    for plan in plans.iter().filter(|it| it.statement.contains("newest")) {
        let reads_all = |line: &&String| {
            line.contains("Seq Scan on deliveries") || line.trim().starts_with("SCAN deliveries")
        };
        assert_eq!(plan.plan.iter().find(reads_all), None, "{}\n{:#?}", plan.statement, plan.plan);
    }
}
