//! Assets.

use contact_hub_domain::ids::AssetId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::property::Property;
use contact_hub_domain::sync::{
    AssetChange, AssetDetail, AssetDraft, ChangeOutcome, SyncStatus, SyncStore,
};
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use super::sample::{asset, deliveries, draft, page_draft, requested, stored, stored_asset};
use crate::sample::{at, stored_company};

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_returned_completely_and_only_to_its_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    for draft in [draft("An email"), page_draft("A page")] {
        let asset = asset(&draft);
        storage.create_asset(company.id.into(), asset.clone()).await.unwrap();
        let detail = storage.read_asset(company.id, asset.id).await.unwrap();
        let expected = AssetDetail { asset, latest_syncs: Vec::new(), sync_status: None };
        let id = expected.asset.id;
        assert_eq!(detail, Some(expected));
        assert_eq!(storage.read_asset(other.id, id).await.unwrap(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_has_the_assets_in_creation_order_with_their_status() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let company = setting.company.id;
    let mut ids = vec![setting.asset.id];
    for _ in 0..4 {
        ids.push(stored_asset(&storage, company).await.id);
    }
    requested(&storage, &setting, 50).await;
    stored_asset(&storage, stored_company(&storage).await.id).await;
    let list = async |number, size| {
        let page = PageRequest::new(number, size).unwrap();
        let page = storage.list_assets(company, page).await.unwrap();
        let ids: Vec<AssetId> = page.items.iter().map(|item| item.id).collect();
        (ids, page.meta.total, page.items.first().and_then(|item| item.sync_status))
    };
    assert_eq!(list(1, 2).await, (ids[..2].to_vec(), 5, Some(SyncStatus::SyncRequested)));
    assert_eq!(list(3, 2).await, (ids[4..].to_vec(), 5, None));
    assert_eq!(list(9, 2).await, (Vec::new(), 5, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_applied_as_the_domain_defines_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let before = stored_asset(&storage, company.id).await;
    let drafts = [
        AssetDraft::default(),
        AssetDraft { html: "<b>New</b>".into(), ..AssetDraft::default() },
        AssetDraft { text: "own".into(), preheader: Property::Null, ..AssetDraft::default() },
        page_draft("A page"),
    ];
    let mut current = before.clone();
    for (n, draft) in (20..).zip(drafts) {
        let change = AssetChange::new(draft);
        current = change.apply(&current, at(n)).unwrap();
        let outcome =
            storage.change_asset(company.id.into(), current.id, change, at(n)).await.unwrap();
        let ChangeOutcome::Changed(detail) = outcome else { panic!("{outcome:?}") };
        assert_eq!(detail.asset, current);
        let stored = storage.read_asset(company.id, current.id).await.unwrap();
        assert_eq!(stored.map(|detail| detail.asset), Some(current.clone()));
    }
    let wrong = || AssetChange::new(AssetDraft { subject: "x".into(), ..AssetDraft::default() });
    let refused =
        storage.change_asset(company.id.into(), current.id, wrong(), at(30)).await.unwrap();
    assert!(matches!(refused, ChangeOutcome::Refused(_)), "{refused:?}");
    let foreign = storage.change_asset(other.id.into(), current.id, wrong(), at(30)).await.unwrap();
    assert_eq!(foreign, ChangeOutcome::NotFound);
    let stored = storage.read_asset(company.id, current.id).await.unwrap();
    assert_eq!(stored.map(|detail| detail.asset), Some(current));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_an_asset_deletes_its_syncs_and_deliveries() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let (company, id) = (setting.company.id, setting.asset.id);
    let kept = stored_asset(&storage, company).await;
    requested(&storage, &setting, 50).await;
    let other = stored_company(&storage).await;
    assert!(!storage.delete_asset(other.id.into(), id, at(60)).await.unwrap());
    assert!(
        !storage.delete_asset(company.into(), AssetId::new(Uuid::nil()), at(60)).await.unwrap()
    );
    assert_eq!(deliveries(&database), ["pending"]);
    assert!(storage.delete_asset(company.into(), id, at(60)).await.unwrap());
    assert!(!storage.delete_asset(company.into(), id, at(61)).await.unwrap());
    assert_eq!(deliveries(&database), ["cancelled"]);
    assert_eq!(storage.read_asset(company, id).await.unwrap(), None);
    let syncs = storage.list_syncs(company, id, PageRequest::default()).await.unwrap();
    assert!(syncs.is_none());
    assert!(storage.read_asset(company, kept.id).await.unwrap().is_some());
}
