//! The marks with which open pages detect changes.

use std::time::Duration;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::live::{LiveStore as _, Mark};
use contact_hub_domain::webhooks::{
    DeliveryQueue as _, Health, NextStep, WebhookChange, WebhookStore,
};
use contact_hub_storage::{record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use tokio::time::timeout;

use super::outbox::{Outbox, ended, second};
use crate::plans::prefer_indexes;
use crate::sample::stored_company;

impl Outbox {
    /// The company's mark, which must differ from this one.
    async fn mark(&self, known: Option<Mark>) -> Mark {
        let changed = self.storage.changed(self.company, known);
        let mark = timeout(Duration::from_secs(10), changed).await;
        mark.expect("a change is noticed").expect("a place")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_of_a_delivery_changes_the_mark() {
    let outbox = Outbox::new().await;
    let mut mark = outbox.mark(None).await;
    let webhook = outbox.webhook().await;
    mark = outbox.mark(Some(mark)).await;
    outbox.due(webhook, 1, 1, second(0));
    mark = outbox.mark(Some(mark)).await;
    let claimed = outbox.claim(second(1), 1).await.pop().expect("one is due");
    let in_progress = outbox.mark(Some(mark)).await;
    // A retry that fails leaves the delivery in its state.
    let again = ended(&claimed, second(1), NextStep::RetryAt(second(2)));
    outbox.storage.record(vec![again]).await.expect("recorded");
    let failed = outbox.mark(Some(in_progress)).await;
    assert_ne!(failed, mark);
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let by = outbox.company.into();
    let changed = WebhookStore::change(&outbox.storage, by, webhook, off, second(3)).await;
    assert!(changed.expect("changed").is_some());
    outbox.mark(Some(failed)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_does_not_change_when_only_other_companies_change() {
    let outbox = Outbox::new().await;
    let other: CompanyId = stored_company(&outbox.storage).await.id;
    let mark = outbox.storage.changed(other, None).await.expect("a place");
    outbox.webhook().await;
    outbox.mark(None).await;
    let silence = timeout(Duration::from_secs(2), outbox.storage.changed(other, Some(mark))).await;
    assert!(silence.is_err(), "{silence:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_the_mark_reads_one_hour_of_attempts_and_only_open_syncs() {
    let database = TestDatabase::migrated();
    if database.cluster().is_some() {
        return;
    }
    prefer_indexes(&database);
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let outbox = Outbox { database, storage, company };
    record_plans(&outbox.database.url());
    outbox.mark(None).await;
    let plans = take_plans(&outbox.database.url());
    let looks: Vec<_> =
        plans.iter().filter(|it| it.statement.contains("'syncs' AS part")).collect();
    assert!(!looks.is_empty());
    let lines = || looks.iter().flat_map(|it| &it.plan);
    for [postgres, sqlite] in [
        ["hour = ", "delivery_outcomes_by_hour (company_id=? AND hour=?)"],
        ["using syncs_", "syncs_by_state (company_id=? AND state=?)"],
    ] {
        let wanted = if outbox.database.is_postgres() { postgres } else { sqlite };
        assert!(lines().any(|line| line.contains(wanted)), "{wanted}: {looks:#?}");
    }
    let reads_all =
        |line: &String| line.contains("deliveries") || line.contains("Seq Scan on syncs");
    assert!(!lines().any(reads_all), "{looks:#?}");
}
