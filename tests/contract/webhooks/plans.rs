//! The cost of a claim depends on what it takes and not on the backlog, and a list is read in index order.

use std::time::Duration;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{
    DeliveriesQuery, DeliveryQueue as _, Health, NextStep, WebhookChange, WebhookStore,
};
use contact_hub_storage::{RecordedPlan, record_plans, take_plans};
use contact_hub_web::FromQuery as _;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};

use super::outbox::{Outbox, claim_at, second};
use crate::sample::stored_company;

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_reads_the_index_of_due_deliveries() {
    let outbox = Outbox::new().await;
    let mut webhooks = Vec::new();
    for _ in 0..3 {
        let webhook = outbox.webhook().await;
        webhooks.push(webhook);
        outbox.due(webhook, 300, 1, second(1_000_000));
        outbox.due(webhook, 5, 0, second(0));
    }
    if outbox.database.is_postgres() {
        let url = outbox.database.url_text();
        let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
        connection.batch_execute("ANALYZE deliveries; ANALYZE webhooks").expect("analysed");
    }
    let plan = outbox.storage.explain_claim(claim_at(second(1), 50), webhooks).await;
    let plan = plan.expect("a plan");
    let reads_all = |line: &&String| {
        line.contains("Seq Scan on deliver") || line.trim().starts_with("SCAN deliver")
    };
    assert_eq!(plan.iter().find(reads_all), None, "{plan:#?}");
    assert!(plan.iter().any(|line| line.contains("deliveries_due")), "{plan:#?}");
    assert!(plan.iter().any(|line| line.contains("delivery_leases_by_webhook")), "{plan:#?}");
    let _taken = outbox.attempt(second(1), NextStep::Succeeded).await;
}

const STATES: [&str; 7] =
    ["pending", "in_progress", "retrying", "succeeded", "exhausted", "cancelled", "skipped"];

/// The plans of the lists of deliveries in every state, with each of these further conditions.
async fn plans_of_lists(outbox: &Outbox, of: &[String]) -> Vec<RecordedPlan> {
    if outbox.database.is_postgres() {
        outbox.execute("ANALYZE deliveries; ANALYZE webhooks; ANALYZE settlements");
    }
    record_lists(outbox, of).await
}

async fn record_lists(outbox: &Outbox, of: &[String]) -> Vec<RecordedPlan> {
    drop(take_plans(&outbox.database.url()));
    record_plans(&outbox.database.url());
    for state in STATES {
        for of in of {
            let query =
                DeliveriesQuery::from_query(&format!("state={state}{of}")).expect("a query");
            let list = outbox.storage.list_deliveries(outbox.company, query).await;
            assert!(list.is_ok(), "state={state}{of}");
        }
    }
    let plans = take_plans(&outbox.database.url());
    record_plans(&outbox.database.url());
    plans.into_iter().filter(|plan| plan.statement.contains("FROM deliveries")).collect()
}

/// None of them reads all deliveries, or all of the company.
fn assert_along_indexes(plans: &[RecordedPlan]) {
    for RecordedPlan { statement, plan, .. } in plans {
        let offends = plan.iter().find(|line| {
            line.contains("Seq Scan on deliveries")
                || line.trim().starts_with("SCAN deliveries")
                || (line.contains("SEARCH deliveries ") && line.ends_with("(company_id=?)"))
        });
        assert_eq!(offends, None, "{statement}\n{plan:#?}");
    }
}

fn uses(plans: &[RecordedPlan], index: &str) -> bool {
    plans.iter().flat_map(|it| &it.plan).any(|line| line.contains(index))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_deliveries_is_not_sorted_before_there_are_statistics() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    outbox.due(webhook, 3000, 0, second(0));
    let of = [String::new(), format!("&webhook_id={}", webhook.uuid())];
    let plans = record_lists(&outbox, &of).await;
    // Deliveries in progress are few, and may be sorted.
    let is_page = |statement: &str| {
        statement.contains("ORDER BY") && !statement.contains("delivery_leases WHERE company_id")
    };
    let pages: Vec<_> = plans.iter().filter(|it| is_page(&it.statement)).collect();
    assert!(!pages.is_empty(), "{plans:#?}");
    for page in pages {
        let sorts = page.plan.iter().find(|line| line.contains("Sort") || line.contains("TEMP"));
        assert_eq!(sorts, None, "{}\n{:#?}", page.statement, page.plan);
    }
}

#[expect(clippy::too_many_lines, reason = "one story")]
#[tokio::test(flavor = "multi_thread")]
async fn lists_of_deliveries_read_an_index_even_while_settlements_are_unfinished() {
    let outbox = Outbox::new().await;
    let (large, small, other) =
        (outbox.webhook().await, outbox.webhook().await, outbox.webhook().await);
    let switched = outbox.due(large, 600, 0, second(0))[0];
    outbox.due(small, 5, 0, second(0));
    outbox.due(small, 5, 2, second(0));
    outbox.due(other, 6000, 0, second(0));
    let other = outbox.id(other.uuid());
    outbox.execute(&format!(
        "UPDATE deliveries SET state = 'succeeded', due_at = NULL WHERE webhook_id = {other};"
    ));
    let sync = outbox.storage.read_delivery(outbox.company, switched).await.expect("a read");
    let sync = sync.and_then(|it| it.delivery.sync_id).expect("a sync").uuid();
    let of = [
        String::new(),
        format!("&webhook_id={}", large.uuid()),
        format!("&webhook_id={}", small.uuid()),
        format!("&sync_id={sync}"),
    ];
    let settled = plans_of_lists(&outbox, &of).await;
    assert_along_indexes(&settled);
    assert!(uses(&settled, "deliveries_by_"), "{settled:#?}");
    let change =
        |on| WebhookChange { switched: Some(Health::switched(on)), ..WebhookChange::default() };
    let off = WebhookStore::change(
        &outbox.storage,
        outbox.company.into(),
        large,
        change(false),
        second(1),
    );
    assert!(off.await.expect("changed").is_some());
    let switched_off = plans_of_lists(&outbox, &of).await;
    assert_along_indexes(&switched_off);
    assert!(uses(&switched_off, "deliveries_due"), "{switched_off:#?}");
    while outbox.storage.settle(500, Duration::MAX).await.expect("settled") {}
    let recovered =
        outbox.storage.recover(outbox.company.into(), large, second(0), second(2)).await;
    assert_eq!(recovered.expect("recovered"), Some(600));
    let recovered = plans_of_lists(&outbox, &of).await;
    assert_along_indexes(&recovered);
    assert!(uses(&recovered, "deliveries_recoverable"), "{recovered:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_read_the_index_of_states_while_very_many_deliveries_are_rewritten() {
    let outbox = Outbox::new().await;
    let large = outbox.webhook().await;
    for _ in 0..6 {
        outbox.due(large, 4000, 0, second(0));
    }
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let changed =
        WebhookStore::change(&outbox.storage, outbox.company.into(), large, off, second(1));
    assert!(changed.await.expect("changed").is_some());
    for rewritten in [2000, 18_000] {
        outbox.storage.settle(rewritten, Duration::MAX).await.expect("settled");
        // The newest are still pending, and statistics say that there are skipped ones everywhere.
        let plans = plans_of_lists(&outbox, &[String::new()]).await;
        assert_along_indexes(&plans);
        for plan in &plans {
            let walks = |line: &&String| line.contains("Backward using deliveries_pkey");
            assert_eq!(plan.plan.iter().find(walks), None, "{}\n{:#?}", plan.statement, plan.plan);
        }
        assert!(uses(&plans, "deliveries_by_state"), "{plans:#?}");
    }
    let query = DeliveriesQuery::from_query("state=skipped").expect("a query");
    let list = outbox.storage.list_deliveries(outbox.company, query).await.expect("a list");
    assert_eq!((list.meta.total, list.items.len()), (24_000, 25));
}

/// How a claim may search deliveries: the index, and the conditions that bound the search.
const SEARCHES: [(&str, &[&str]); 5] = [
    // The next company, and the next webhook of a company.
    ("deliveries_due", &["company_id>"]),
    ("deliveries_due", &["company_id=", "webhook_id>"]),
    // What is due with one urgency, in the current generation.
    ("deliveries_due", &["company_id=", "webhook_id=", "generation=", "urgency=", "due_at<"]),
    // One delivery.
    ("deliveries_pkey", &["(id="]),
    ("sqlite_autoindex_deliveries_1", &["(id="]),
];

fn is_bounded(search: &str, index: &str, bounds: &[&str]) -> bool {
    // A bitmap is built from all entries, however few are needed.
    let reads_all = index == "deliveries_due" && search.contains("BitmapIndexScan");
    let names = search.contains(&format!("{index}(")) || search.contains(&format!("{index}on"));
    let bitmap = search.contains(&format!("BitmapIndexScanon{index}"));
    !reads_all && (names || bitmap) && bounds.iter().all(|bound| search.contains(bound))
}

/// The steps of a plan that search deliveries by an index, each with its condition and without spaces.
fn searches(plan: &[String], is_postgres: bool) -> Vec<String> {
    let steps = plan.iter().enumerate().filter(|(_, line)| {
        let postgres =
            line.contains(" using deliveries_") || line.contains("Index Scan on deliveries_");
        postgres || (line.contains("deliveries_") && line.contains(" USING "))
    });
    let with_condition = steps.map(|(place, line)| {
        let next = plan.get(place + 1).filter(|_| is_postgres).map_or("", String::as_str);
        format!("{line}{next}").replace(' ', "")
    });
    with_condition.collect()
}

async fn assert_claim_is_bounded(outbox: &Outbox, webhooks: &[WebhookId]) {
    let plan = outbox.storage.explain_claim(claim_at(second(1), 50), webhooks.to_vec()).await;
    let plan = plan.expect("a plan");
    assert!(!plan.iter().any(|line| line.contains("Seq Scan on deliver")), "{plan:#?}");
    let searches = searches(&plan, outbox.database.is_postgres());
    let unbounded = searches
        .iter()
        .find(|search| !SEARCHES.iter().any(|(index, bounds)| is_bounded(search, index, bounds)));
    assert_eq!(unbounded, None, "{plan:#?}");
    assert!(searches.len() >= 6, "{searches:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_reads_no_backlog_of_another_company() {
    let outbox = Outbox::new().await;
    let (large, later) = (outbox.webhook().await, outbox.webhook().await);
    outbox.due(large, 3000, 0, second(0));
    outbox.due(later, 3000, 3, second(1_000_000));
    // The rows of recently closed deliveries have not been rewritten yet.
    let closed = outbox.webhook().await;
    outbox.due(closed, 3000, 0, second(0));
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let off = WebhookStore::change(&outbox.storage, outbox.company.into(), closed, off, second(1));
    assert!(off.await.expect("changed").is_some());
    let other = stored_company(&outbox.storage).await.id;
    let other = Outbox { company: other, ..outbox };
    let healthy = other.webhook().await;
    let due = other.due(healthy, 1, 0, second(0));
    let webhooks = vec![large, later, closed, healthy];
    assert_claim_is_bounded(&other, &webhooks).await;
    // Statistics from before a backlog was processed say that nearly everything is waiting.
    if other.database.is_postgres() {
        other.execute("ANALYZE deliveries; ANALYZE webhooks");
    }
    while other.storage.settle(1000, Duration::MAX).await.expect("settled") {}
    assert_claim_is_bounded(&other, &webhooks).await;
    let claimed = other.claim(second(1), 50).await;
    assert!(claimed.iter().any(|claimed| claimed.delivery_id == due[0]));
}
