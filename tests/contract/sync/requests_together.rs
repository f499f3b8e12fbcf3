//! Concurrent requests of a company share transactions, and each has the outcome that it would have alone.

use std::time::Duration;

use contact_hub_domain::ids::{AssetId, IntegrationId};
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::{
    AssetSync, RequestProblem, RequestedSync, SyncRequest, SyncState, SyncStore,
};
use contact_hub_storage::{Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use uuid::Uuid;

use super::sample::{Setting, ask, deliveries, request, requested, stored, stored_asset, webhook};
use crate::plans::prefer_indexes;

/// Nothing here takes this long unless it waits for something that never happens.
const PATIENCE: Duration = Duration::from_secs(8);

type Call = JoinHandle<Result<RequestedSync, RequestProblem>>;

fn spawned(storage: &Storage, setting: &Setting, request: SyncRequest) -> Call {
    let (storage, setting) = (storage.clone(), setting.clone());
    tokio::spawn(async move { ask(&storage, &setting, request).await })
}

/// The same company with this many new assets.
async fn with_assets(storage: &Storage, setting: &Setting, count: usize) -> Vec<Setting> {
    let mut settings = Vec::new();
    for _ in 0..count {
        let asset = stored_asset(storage, setting.company.id).await;
        settings.push(Setting { asset, ..setting.clone() });
    }
    settings
}

async fn syncs(storage: &Storage, setting: &Setting) -> Vec<AssetSync> {
    let page = PageRequest::new(1, 100).expect("a page's bounds");
    let page = storage.list_syncs(setting.company.id, setting.asset.id, page).await;
    page.expect("a page").expect("the asset is known").items
}

fn in_state(database: &TestDatabase, state: &str) -> usize {
    deliveries(database).iter().filter(|it| *it == state).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_share_statements() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    webhook(&database, setting.company.id, false);
    let settings = with_assets(&storage, &setting, 100).await;
    let before = storage.statements();
    let calls: Vec<Call> =
        settings.iter().map(|it| spawned(&storage, it, request(it, 50))).collect();
    let mut accepted = Vec::new();
    for call in calls {
        accepted.push(call.await.expect("it ends").expect("it is accepted").sync);
    }
    // Separately, each takes at least seven.
    let taken = storage.statements() - before;
    assert!(taken <= 200, "{taken} statements for 100 requests");
    for (setting, sync) in settings.iter().zip(accepted) {
        assert_eq!(sync.asset_id, setting.asset.id);
        assert_eq!(sync.requested_by.as_deref(), Some("ann@example.com"));
        assert_eq!(syncs(&storage, setting).await, [sync]);
    }
    assert_eq!((in_state(&database, "pending"), in_state(&database, "skipped")), (100, 100));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_supersedes_the_one_before_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let settings = with_assets(&storage, &setting, 8).await;
    let calls: Vec<Call> = (0..5)
        .flat_map(|_| settings.iter())
        .map(|it| spawned(&storage, it, request(it, 50)))
        .collect();
    for call in calls {
        let requested = call.await.expect("it ends").expect("it is accepted");
        assert!(requested.superseded.is_none_or(|it| it.state == SyncState::Superseded));
    }
    for setting in &settings {
        let syncs = syncs(&storage, setting).await;
        let open: Vec<bool> = syncs.iter().map(AssetSync::is_open).collect();
        assert_eq!(open, [true, false, false, false, false]);
    }
    assert_eq!((in_state(&database, "pending"), in_state(&database, "cancelled")), (8, 32));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_request_does_not_reject_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let foreign = stored(&database, &storage).await;
    let settings = with_assets(&storage, &setting, 30).await;
    let asked = settings.iter().enumerate().map(|(n, it)| {
        let valid = request(it, 50);
        let (request, problem) = match n % 5 {
            0 => (
                SyncRequest { asset: AssetId::new(Uuid::now_v7()), ..valid },
                Some(RequestProblem::AssetNotFound),
            ),
            1 => (
                SyncRequest { asset: foreign.asset.id, ..valid },
                Some(RequestProblem::AssetNotFound),
            ),
            2 => (
                SyncRequest { integration: IntegrationId::new(Uuid::now_v7()), ..valid },
                Some(RequestProblem::IntegrationNotFound),
            ),
            3 => (
                SyncRequest { integration: foreign.integration.id, ..valid },
                Some(RequestProblem::IntegrationNotFound),
            ),
            _ => (valid, None),
        };
        (spawned(&storage, it, request), problem)
    });
    for (call, problem) in asked.collect::<Vec<_>>() {
        assert_eq!(call.await.expect("it ends").err(), problem);
    }
    assert_eq!(in_state(&database, "pending"), 6);
    assert!(syncs(&storage, &foreign).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_waits_for_another_transaction_does_not_delay_others() {
    let database = TestDatabase::migrated();
    // On a cluster the short lock timeout is not passed on to the node.
    if !database.is_postgres() || database.cluster().is_some() {
        return;
    }
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let settings = with_assets(&storage, &setting, 40).await;
    let mut other = PgConnection::establish(database.url_text()).expect("PostgreSQL answers");
    let lock = format!("BEGIN; SELECT 1 FROM assets WHERE id = '{}' FOR UPDATE", setting.asset.id);
    other.batch_execute(&lock).expect("a lock on the asset");
    let waits = spawned(&storage, &setting, request(&setting, 50));
    let calls: Vec<Call> =
        settings.iter().map(|it| spawned(&storage, it, request(it, 50))).collect();
    for call in calls {
        let outcome = timeout(PATIENCE, call).await.expect("it does not wait").expect("it ends");
        assert!(outcome.is_ok(), "{outcome:?}");
    }
    assert!(!waits.is_finished());
    other.batch_execute("COMMIT").expect("the lock is released");
    let outcome = waits.await.expect("it ends");
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(in_state(&database, "pending"), 41);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_with_many_deliveries_are_all_accepted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    for _ in 1..20 {
        webhook(&database, setting.company.id, true);
    }
    let settings = with_assets(&storage, &setting, 100).await;
    let calls: Vec<Call> =
        settings.iter().map(|it| spawned(&storage, it, request(it, 50))).collect();
    for call in calls {
        assert!(call.await.expect("it ends").is_ok());
    }
    assert_eq!(in_state(&database, "pending"), 2000);
}

#[tokio::test(flavor = "multi_thread")]
async fn earlier_syncs_are_looked_up() {
    let database = TestDatabase::migrated();
    if database.cluster().is_some() {
        return;
    }
    prefer_indexes(&database);
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    record_plans(&database.url());
    requested(&storage, &setting, 50).await;
    let plans = take_plans(&database.url());
    let look_up = plans.iter().find(|it| it.statement.contains("FROM syncs newest"));
    let plan = look_up.expect("it is read").plan.join("\n");
    let wanted = if database.is_postgres() {
        "Index Cond: (id = ANY (ARRAY[(SubPlan 1), (SubPlan 2)]))"
    } else {
        "SEARCH syncs USING INDEX sqlite_autoindex_syncs_1 (id=?)"
    };
    assert!(plan.contains(wanted), "{plan}");
    assert_eq!(plan.matches("syncs_by_integration").count(), 2, "{plan}");
}
