//! Whatever runs concurrently, an asset and an integration never have two open syncs, and a sync is closed once.

use std::sync::Arc;

use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::{AssetSync, ReportDecision, Reported, SyncState, SyncStore};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;

use super::sample::{Setting, ask, deliveries, failed, request, requested, stored};
use crate::sample::at;

async fn listed(storage: &Storage, setting: &Setting) -> Vec<AssetSync> {
    let page = PageRequest::new(1, 100).expect("a page's bounds");
    let page = storage.list_syncs(setting.company.id, setting.asset.id, page).await;
    page.expect("a page").expect("the asset is known").items
}

fn pending(database: &TestDatabase) -> usize {
    deliveries(database).iter().filter(|state| *state == "pending").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_requests_stays_open() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let setting = Arc::new(stored(&database, &one).await);
    let calls = (0..16).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let setting = Arc::clone(&setting);
        tokio::spawn(async move { ask(&storage, &setting, request(&setting, 50)).await.is_ok() })
    });
    for call in calls.collect::<Vec<_>>() {
        assert!(call.await.unwrap());
    }
    let syncs = listed(&one, &setting).await;
    assert_eq!(syncs.len(), 16);
    let open = syncs.iter().filter(|sync| sync.is_open()).count();
    assert_eq!((open, syncs[0].is_open(), pending(&database)), (1, true, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_reports_wins() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let setting = Arc::new(stored(&database, &one).await);
    requested(&one, &setting, 50).await;
    let calls = (0..12).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let setting = Arc::clone(&setting);
        tokio::spawn(async move {
            let (company, asset) = (setting.company.id, setting.asset.id);
            let report = failed(if n % 3 == 0 { "a" } else { "b" });
            storage.report(company.into(), asset, Reported::TheOpenOne, report, at(60 + n)).await
        })
    });
    let (mut recorded, mut known, mut refused) = (Vec::new(), Vec::new(), 0);
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap().unwrap().unwrap() {
            ReportDecision::Record(sync) => recorded.push(sync),
            ReportDecision::Known(sync) => known.push(sync),
            ReportDecision::NotRequested(open) => refused += usize::from(open.is_empty()),
            decision @ ReportDecision::Ambiguous(_) => panic!("{decision:?}"),
        }
    }
    assert_eq!((recorded.len(), known.len() + refused), (1, 11));
    assert!(known.iter().all(|sync| *sync == recorded[0]));
    assert_eq!(listed(&one, &setting).await, recorded);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_during_a_deletion_leaves_no_open_sync() {
    for _ in 0..4 {
        let database = TestDatabase::migrated();
        let (one, other) = (database.storage(), database.storage());
        let setting = Arc::new(stored(&database, &one).await);
        let calls = (0..8).map(|_| {
            let (storage, setting) = (one.clone(), Arc::clone(&setting));
            tokio::spawn(async move { ask(&storage, &setting, request(&setting, 50)).await })
        });
        let calls: Vec<_> = calls.collect();
        let (company, integration) = (setting.company.id, setting.integration.id);
        assert!(other.delete_integration(company.into(), integration, at(60)).await.unwrap());
        for call in calls {
            let _ended = call.await.unwrap();
        }
        let syncs = listed(&one, &setting).await;
        let closed =
            |sync: &AssetSync| matches!(sync.state, SyncState::Superseded | SyncState::Withdrawn);
        assert!(syncs.iter().all(closed), "{syncs:?}");
        assert_eq!(pending(&database), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_reports_and_deletions_do_not_deadlock() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let setting = Arc::new(stored(&database, &one).await);
    let calls = (0..24).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let setting = Arc::clone(&setting);
        tokio::spawn(async move {
            let (company, asset) = (setting.company.id, setting.asset.id);
            match n {
                23 => storage.delete_asset(company.into(), asset, at(90)).await.map(drop),
                n if n % 3 == 0 => {
                    let report = failed("x");
                    storage
                        .report(company.into(), asset, Reported::TheOpenOne, report, at(60))
                        .await
                        .map(drop)
                }
                _ => storage.request(company.into(), request(&setting, 50)).await.map(drop),
            }
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().expect("no call is refused by the store");
    }
    assert_eq!(one.read_asset(setting.company.id, setting.asset.id).await.unwrap(), None);
    assert_eq!(pending(&database), 0);
}
