//! Read replicas: the queries to the primary and to the replicas. `cargo xtask replicas` tests real ones.

use std::time::{Duration, Instant};

use contact_hub_domain::contacts::ListQuery;
use contact_hub_storage::{
    ListLimits, RecordedPlan, ReplicaOptions, Storage, StorageOptions, record_plans, take_plans,
};
use contact_hub_tests::TestDatabase;
use tokio::runtime::Handle;

use crate::sample::stored_company;

const PATIENCE: Duration = Duration::from_secs(20);

/// Parts of the statements that query the position and the state.
const ASKED: [&str; 2] = ["pg_current_wal_flush_lsn", "pg_last_wal_replay_lsn"];

/// The primary is configured as its own replica, so both are queried but no replica is used.
#[tokio::test(flavor = "multi_thread")]
async fn position_and_state_are_queried_without_reading_a_table() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() || database.cluster().is_some() {
        return;
    }
    record_plans(&database.url());
    let replicas = ReplicaOptions { urls: vec![database.url()], lag: PATIENCE };
    let options = StorageOptions {
        url: database.url(),
        pooled: false,
        connections: 2,
        wait: PATIENCE,
        statement: PATIENCE,
        replicas,
    };
    let storage = Storage::new(&options, Handle::current());
    let company = stored_company(&storage).await;
    let page = storage
        .list_within(company.id, ListQuery::default(), ListLimits::default())
        .await
        .expect("the primary answers");
    assert_eq!(page.meta.total, 0);
    let mut plans: Vec<RecordedPlan> = Vec::new();
    let began = Instant::now();
    for part in ASKED {
        let plan = loop {
            let mut found = plans.iter().filter(|plan| plan.statement.contains(part));
            if let Some(plan) = found.next() {
                break plan.plan.clone();
            }
            assert!(began.elapsed() < PATIENCE, "{part} was not asked for");
            plans = take_plans(&database.url());
            record_plans(&database.url());
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        for line in plan {
            assert!(!line.contains("Scan on ") || line.contains("Function Scan on pg_"), "{line}");
        }
    }
}
