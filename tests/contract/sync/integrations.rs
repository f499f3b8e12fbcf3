//! Integrations, and the mapping with which content is converted.

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};
use contact_hub_domain::property::Property;
use contact_hub_domain::sync::{
    Asset, ChangeOutcome, Integration, IntegrationChoice, IntegrationDraft, MappingChoice,
    Platform, Reported, SyncState, SyncStore,
};
use contact_hub_tests::TestDatabase;

use super::sample::{
    Setting, completed, deliveries, integration, integration_draft, requested, stored,
    stored_asset, stored_integration,
};
use crate::sample::{MANY, at, stored_company};

#[tokio::test(flavor = "multi_thread")]
async fn an_integration_is_returned_completely_and_only_to_its_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let mapping = [("email", "[é \"]\n"), ("field:jobTitle", " x ")];
    for draft in [
        integration_draft(&["email"], &[]),
        integration_draft(&["landing_page"], &mapping),
        integration_draft(&["landing_page", "email"], &mapping[..1]),
    ] {
        let integration = integration(&draft);
        storage.create_integration(company.id.into(), integration.clone(), MANY).await.unwrap();
        let id = integration.id;
        let stored = storage.read_integration(company.id, id).await.unwrap();
        assert_eq!(stored, Some(integration));
        assert_eq!(storage.read_integration(other.id, id).await.unwrap(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_has_the_integrations_in_creation_order() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(stored_integration(&storage, company).await.id);
    }
    stored_integration(&storage, stored_company(&storage).await.id).await;
    let page = PageRequest::new(2, 2).unwrap();
    let page = storage.list_integrations(company, page).await.unwrap();
    let listed: Vec<IntegrationId> = page.items.iter().map(|item| item.id).collect();
    assert_eq!((listed, page.meta.total), (ids[2..].to_vec(), 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_choice_of_integrations_is_not_limited_to_one_page() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let mut expected = Vec::new();
    for _ in 0..=MAX_PAGE_SIZE {
        let Integration { id, name, asset_types, format, .. } =
            stored_integration(&storage, company).await;
        expected.push(IntegrationChoice { id, name, asset_types, format });
    }
    stored_integration(&storage, stored_company(&storage).await.id).await;
    assert_eq!(storage.integration_choices(company).await.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_applied_as_the_domain_defines_it() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await.id, stored_company(&storage).await.id);
    let mut current = stored_integration(&storage, company).await;
    let cleared = IntegrationDraft {
        merge_tag_mapping: Property::Null,
        merge_tag_format: "liquid".into(),
        ..IntegrationDraft::default()
    };
    for (n, draft) in (20..).zip([
        IntegrationDraft::default(),
        integration_draft(&["landing_page"], &[("email", "x")]),
        cleared,
    ]) {
        current = draft.apply(&current, at(n)).unwrap();
        let outcome =
            storage.change_integration(company.into(), current.id, draft, at(n)).await.unwrap();
        assert_eq!(outcome, ChangeOutcome::Changed(current.clone()));
        let stored = storage.read_integration(company, current.id).await.unwrap();
        assert_eq!(stored, Some(current.clone()));
    }
    let wrong = || IntegrationDraft { name: Property::Null, ..IntegrationDraft::default() };
    let refused =
        storage.change_integration(company.into(), current.id, wrong(), at(30)).await.unwrap();
    assert!(matches!(refused, ChangeOutcome::Refused(_)), "{refused:?}");
    let foreign =
        storage.change_integration(other.into(), current.id, wrong(), at(30)).await.unwrap();
    assert_eq!(foreign, ChangeOutcome::NotFound);
}

/// Another asset or integration of the same company.
fn beside(setting: &Setting, asset: Asset, integration: Integration) -> Setting {
    let (company, user) = (setting.company.clone(), setting.user.clone());
    Setting { company, user, asset, integration }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_withdraws_the_open_syncs_and_keeps_all_syncs() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let company = setting.company.id;
    let asset = stored_asset(&storage, company).await;
    let second = beside(&setting, asset, setting.integration.clone());
    let integration = stored_integration(&storage, company).await;
    let other = beside(&setting, setting.asset.clone(), integration);
    let done = requested(&storage, &setting, 50).await;
    let (asset, named) = (setting.asset.id, Reported::Named(Some(done.id)));
    SyncStore::report(&storage, company.into(), asset, named, completed("1"), at(51))
        .await
        .unwrap();
    requested(&storage, &setting, 52).await;
    requested(&storage, &second, 53).await;
    let untouched = requested(&storage, &other, 54).await;
    let stranger = stored_company(&storage).await;
    let id = setting.integration.id;
    assert!(!storage.delete_integration(stranger.id.into(), id, at(60)).await.unwrap());
    assert!(storage.delete_integration(company.into(), id, at(60)).await.unwrap());
    assert!(!storage.delete_integration(company.into(), id, at(61)).await.unwrap());
    assert_eq!(storage.read_integration(company, id).await.unwrap(), None);
    let states = async |asset| {
        let page = storage.list_syncs(company, asset, PageRequest::default()).await.unwrap();
        let syncs = page.unwrap().items;
        syncs.into_iter().map(|sync| (sync.id, sync.state)).collect::<Vec<_>>()
    };
    let first = states(setting.asset.id).await;
    assert_eq!(first[0], (untouched.id, SyncState::Requested));
    assert_eq!(first[1].1, SyncState::Withdrawn);
    assert!(matches!(first[2].1, SyncState::Completed { .. }));
    assert_eq!(states(second.asset.id).await[0].1, SyncState::Withdrawn);
    assert_eq!(deliveries(&database), ["cancelled", "cancelled", "cancelled", "pending"]);
    let detail = storage.read_asset(company, setting.asset.id).await.unwrap().unwrap();
    assert_eq!(detail.latest_syncs, [untouched]);
}

#[tokio::test(flavor = "multi_thread")]
async fn content_is_read_with_the_chosen_mapping() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await.id, stored_company(&storage).await.id);
    let asset = stored_asset(&storage, company).await;
    let mut stored = Vec::new();
    let foreign = integration(&integration_draft(&["email"], &[("email", "theirs")]));
    storage.create_integration(other.into(), foreign.clone(), MANY).await.unwrap();
    for mapping in [&[][..], &[("email", "first")], &[("email", "second")]] {
        let integration = integration(&integration_draft(&["email"], mapping));
        storage.create_integration(company.into(), integration.clone(), MANY).await.unwrap();
        stored.push(integration);
    }
    let chosen = async |choice| {
        let source = storage.content(company, asset.id, choice).await.unwrap().unwrap();
        assert_eq!(source.asset, asset);
        source.integration
    };
    assert_eq!(chosen(MappingChoice::Nothing).await, None);
    assert_eq!(chosen(MappingChoice::Of(Platform::Marketo)).await, Some(stored[1].clone()));
    assert_eq!(chosen(MappingChoice::Of(Platform::Liquid)).await, None);
    assert_eq!(chosen(MappingChoice::By(stored[0].id)).await, Some(stored[0].clone()));
    assert_eq!(chosen(MappingChoice::By(foreign.id)).await, None);
    assert_eq!(storage.content(other, asset.id, MappingChoice::Nothing).await.unwrap(), None);
}
