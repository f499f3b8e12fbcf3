//! Requests and reports.

use contact_hub_domain::ids::{AssetId, IntegrationId, SyncId, UserId};
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::{
    AssetSync, Report, ReportDecision, Reported, RequestProblem, SyncRequest, SyncState,
    SyncStatus, SyncStore,
};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use serde_json::Value;
use uuid::Uuid;

use super::sample::{
    Setting, ask, asset, completed, deliveries, failed, page_draft, request, requested, stored,
    stored_integration, webhook,
};
use crate::sample::{at, stored_company};

async fn report(
    storage: &Storage,
    setting: &Setting,
    reported: Reported,
    report: &Report,
) -> ReportDecision {
    let (company, asset) = (setting.company.id, setting.asset.id);
    let decision = storage.report(company.into(), asset, reported, report.clone(), at(100)).await;
    decision.expect("an outcome").expect("the asset is known")
}

async fn listed(storage: &Storage, setting: &Setting) -> Vec<AssetSync> {
    let page = storage.list_syncs(setting.company.id, setting.asset.id, PageRequest::default());
    page.await.expect("a page").expect("the asset is known").items
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_rejected_as_the_domain_decides() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let foreign = stored(&database, &storage).await;
    let page = asset(&page_draft("A page"));
    storage.create_asset(setting.company.id.into(), page.clone()).await.unwrap();
    let valid = || request(&setting, 50);
    for (request, problem) in [
        (
            SyncRequest { asset: AssetId::new(Uuid::nil()), ..valid() },
            RequestProblem::AssetNotFound,
        ),
        (SyncRequest { asset: foreign.asset.id, ..valid() }, RequestProblem::AssetNotFound),
        (
            SyncRequest { integration: IntegrationId::new(Uuid::nil()), ..valid() },
            RequestProblem::IntegrationNotFound,
        ),
        (
            SyncRequest { integration: foreign.integration.id, ..valid() },
            RequestProblem::IntegrationNotFound,
        ),
        (SyncRequest { asset: page.id, ..valid() }, RequestProblem::AssetTypeNotSupported),
    ] {
        assert_eq!(ask(&storage, &setting, request).await, Err(problem));
    }
    assert_eq!(deliveries(&database), [""; 0]);
    assert_eq!(listed(&storage, &setting).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_needs_an_enabled_webhook() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let mut setting = stored(&database, &storage).await;
    setting.asset = super::sample::stored_asset(&storage, company.id).await;
    setting.integration = stored_integration(&storage, company.id).await;
    setting.company = company;
    webhook(&database, setting.company.id, false);
    let refused = ask(&storage, &setting, request(&setting, 50)).await;
    assert_eq!(refused, Err(RequestProblem::WebhookNotConfigured));
    webhook(&database, setting.company.id, true);
    requested(&storage, &setting, 51).await;
    let mut states = deliveries(&database);
    states.sort();
    assert_eq!(states, ["pending", "skipped"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_supersedes_the_open_one_of_its_integration() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let first = requested(&storage, &setting, 50).await;
    assert_eq!(first.requested_by.as_deref(), Some("ann@example.com"));
    // The clock of another instance may be behind.
    let second = requested(&storage, &setting, 40).await;
    let other = Setting {
        integration: stored_integration(&storage, setting.company.id).await,
        ..stored(&database, &storage).await
    };
    let other = Setting {
        company: setting.company.clone(),
        user: setting.user.clone(),
        asset: setting.asset.clone(),
        ..other
    };
    let third = requested(&storage, &other, 60).await;
    let superseded = AssetSync { state: SyncState::Superseded, ..first };
    let all = [third.clone(), second.clone(), superseded];
    assert_eq!(listed(&storage, &setting).await, all);
    assert_eq!(deliveries(&database), ["cancelled", "pending", "pending"]);
    let detail = storage.read_asset(setting.company.id, setting.asset.id).await.unwrap().unwrap();
    assert_eq!(detail.latest_syncs, [third, second]);
    assert_eq!(detail.sync_status, Some(SyncStatus::SyncRequested));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_by_a_deleted_user_has_no_name() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let request = SyncRequest { user: UserId::new(Uuid::nil()), ..request(&setting, 50) };
    let requested = ask(&storage, &setting, request).await.unwrap();
    assert_eq!(requested.sync.requested_by, None);
    assert_eq!(listed(&storage, &setting).await, [requested.sync]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_event_has_the_entry_of_the_last_completed_sync() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let shown = async |micros| {
        let requested = ask(&storage, &setting, request(&setting, micros)).await.unwrap();
        let payload: Value = serde_json::from_str(&requested.event.payload).unwrap();
        (payload["sync_type"].clone(), payload["map_id"].clone())
    };
    assert_eq!(shown(50).await, ("sync".into(), Value::Null));
    report(&storage, &setting, Reported::TheOpenOne, &failed("x")).await;
    assert_eq!(shown(60).await, ("sync".into(), Value::Null));
    report(&storage, &setting, Reported::TheOpenOne, &completed("7")).await;
    assert_eq!(shown(70).await, ("resync".into(), "7".into()));
    report(&storage, &setting, Reported::TheOpenOne, &failed("x")).await;
    assert_eq!(shown(80).await, ("resync".into(), "7".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_closes_the_sync_and_its_deliveries_once() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let sync = requested(&storage, &setting, 50).await;
    for reported in [completed("1"), failed("no")] {
        let sync = requested(&storage, &setting, 60).await;
        let named = Reported::Named(Some(sync.id));
        let decision = report(&storage, &setting, named, &reported).await;
        let ReportDecision::Record(recorded) = decision else { panic!("{decision:?}") };
        assert_eq!(recorded.reported_at(), Some(at(100)));
        assert_eq!(listed(&storage, &setting).await[0], recorded);
        for repeated in [named, Reported::TheOpenOne] {
            let decision = report(&storage, &setting, repeated, &reported).await;
            assert_eq!(decision, ReportDecision::Known(recorded.clone()));
            let refused = report(&storage, &setting, repeated, &failed("other")).await;
            assert_eq!(refused, ReportDecision::NotRequested(Vec::new()));
        }
        assert_eq!(listed(&storage, &setting).await[0], recorded);
    }
    assert!(deliveries(&database).iter().all(|state| state == "cancelled"));
    let refused = report(&storage, &setting, Reported::Named(Some(sync.id)), &failed("x")).await;
    assert_eq!(refused, ReportDecision::NotRequested(Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_without_a_sync_id_applies_to_the_only_open_sync() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let second = Setting {
        company: setting.company.clone(),
        user: setting.user.clone(),
        asset: setting.asset.clone(),
        integration: stored_integration(&storage, setting.company.id).await,
    };
    let (one, two) =
        (requested(&storage, &setting, 50).await, requested(&storage, &second, 51).await);
    let open = || vec![one.id, two.id];
    let decision = report(&storage, &setting, Reported::TheOpenOne, &failed("x")).await;
    assert_eq!(decision, ReportDecision::Ambiguous(open()));
    for unknown in [None, Some(SyncId::new(Uuid::nil()))] {
        let decision = report(&storage, &setting, Reported::Named(unknown), &failed("x")).await;
        assert_eq!(decision, ReportDecision::NotRequested(open()));
    }
    let decision = report(&storage, &setting, Reported::Named(Some(two.id)), &failed("x")).await;
    assert!(matches!(decision, ReportDecision::Record(sync) if sync.id == two.id));
    let decision = report(&storage, &setting, Reported::TheOpenOne, &failed("x")).await;
    assert!(matches!(decision, ReportDecision::Record(sync) if sync.id == one.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_belongs_to_its_asset_and_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (ours, theirs) = (stored(&database, &storage).await, stored(&database, &storage).await);
    let sync = requested(&storage, &theirs, 50).await;
    let decision = report(&storage, &ours, Reported::Named(Some(sync.id)), &failed("x")).await;
    assert_eq!(decision, ReportDecision::NotRequested(Vec::new()));
    let (company, asset) = (ours.company.id, theirs.asset.id);
    let foreign =
        storage.report(company.into(), asset, Reported::TheOpenOne, failed("x"), at(1)).await;
    assert_eq!(foreign.unwrap(), None);
    let foreign = storage.list_syncs(company, asset, PageRequest::default()).await;
    assert_eq!(foreign.unwrap(), None);
    assert!(listed(&storage, &theirs).await[0].is_open());
}
