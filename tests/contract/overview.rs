//! The figures of the overview.

use contact_hub_domain::access::{AccessStore as _, Company};
use contact_hub_domain::contacts::ContactStore;
use contact_hub_domain::fields::FieldStore;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, ContactId, InstanceId};
use contact_hub_domain::overview::{
    CompanyOverview, ContactDay, HourlyCalls, ImportCounts, KeyDay, LastImport, OverviewStore,
    Since,
};
use contact_hub_domain::time::Timestamp;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{MANY, at, new_contact, operator, stored_company, user};

const HOUR: i64 = 3600;

/// The start of an hour.
fn hour(number: i64) -> Timestamp {
    at(0).plus_seconds(number * HOUR)
}

fn day(number: i64) -> Timestamp {
    hour(number * 24)
}

fn calls(number: i64, admitted: u64, refused: u64, peak: u32) -> HourlyCalls {
    HourlyCalls { hour: hour(number), admitted, refused, peak }
}

fn instance() -> InstanceId {
    InstanceId::new(Uuid::now_v7())
}

async fn stored(storage: &Storage, company: &Company, email: &str) -> ContactId {
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    let new = new_contact(&directory, email, &[]);
    let id = new.id;
    ContactStore::create(storage, company.id.into(), new).await.expect("created");
    id
}

async fn overview(storage: &Storage, company: CompanyId) -> CompanyOverview {
    let since = Since { calls: hour(1), days: day(1) };
    storage.overview(company, since).await.expect("an overview")
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_all_instances_add_up_however_often_each_records_them() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let other = stored_company(&storage).await.id;
    let (one, two) = (instance(), instance());
    let record = async |by, calls: HourlyCalls| {
        let rows = vec![(company, calls), (other, calls)];
        storage.record_calls(by, rows).await.expect("recorded");
    };
    record(one, calls(0, 9, 9, 9)).await;
    record(one, calls(1, 5, 0, 40)).await;
    record(one, calls(1, 7, 1, 100)).await;
    record(one, calls(1, 7, 1, 100)).await;
    record(one, calls(1, 2, 0, 10)).await;
    record(two, calls(1, 3, 0, 60)).await;
    record(two, calls(2, 1, 0, 0)).await;
    let found = overview(&storage, company).await;
    assert_eq!(found.calls, [calls(1, 10, 1, 100), calls(2, 1, 0, 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_an_unknown_company_do_not_block_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let rows = [CompanyId::new(Uuid::now_v7()), company].map(|it| (it, calls(1, 1, 0, 0)));
    storage.record_calls(instance(), rows.to_vec()).await.expect("recorded");
    assert_eq!(overview(&storage, company).await.calls, [calls(1, 1, 0, 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_has_the_last_recorded_number_of_contacts() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let record = async |number| storage.record_contact_days(day(number)).await.expect("recorded");
    record(0).await;
    record(1).await;
    stored(&storage, &company, "ann@example.com").await;
    let bo = stored(&storage, &company, "bo@example.com").await;
    record(2).await;
    record(2).await;
    let by = company.id.into();
    assert_eq!(storage.delete_many(by, vec![bo], at(9)).await.expect("deleted"), 1);
    record(3).await;
    storage.deferred_writes().run().await.expect("applied");
    record(4).await;
    let found = overview(&storage, company.id).await;
    let days = [(1, 0), (2, 2), (3, 1), (4, 1)];
    assert_eq!(found.contact_days, days.map(|(it, active)| ContactDay { day: day(it), active }));
    assert_eq!(found.contacts, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_figures_are_deleted_and_new_ones_are_kept() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let rows = [1, 2, 3].map(|number| (company, calls(number, 1, 0, 0)));
    storage.record_calls(instance(), rows.to_vec()).await.expect("recorded");
    for number in [1, 2, 3] {
        storage.record_contact_days(day(number)).await.expect("recorded");
    }
    let expiry = storage.expiry();
    assert_eq!(expiry.delete_call_counts(hour(3)).await.expect("deleted"), 2);
    assert_eq!(expiry.delete_contact_days(day(2)).await.expect("deleted"), 1);
    let found = overview(&storage, company).await;
    assert_eq!(found.calls, [calls(3, 1, 0, 0)]);
    assert_eq!(found.contact_days.iter().map(|it| it.day).collect::<Vec<_>>(), [day(2), day(3)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_with_keys_are_summed_by_day() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let other = stored_company(&storage).await.id;
    let unknown = CompanyId::new(Uuid::now_v7());
    let mut keys = [(), (), ()].map(|()| ApiKeyId::new(Uuid::now_v7()));
    keys.sort_unstable();
    let [ann, bo, cy] = keys;
    let calls = |key, number, calls| KeyDay { key, day: day(number), calls };
    for rows in [
        vec![(company, calls(ann, 1, 5)), (company, calls(ann, 2, 1)), (unknown, calls(cy, 1, 1))],
        vec![(company, calls(ann, 2, 2)), (company, calls(bo, 3, 7)), (other, calls(ann, 2, 9))],
        vec![(company, calls(cy, 3, 4))],
    ] {
        storage.record_key_days(rows).await.expect("recorded");
    }
    let read = async |company, keys, since| {
        storage.key_days(company, keys, day(since)).await.expect("days")
    };
    let all = read(company, vec![ann, bo], 1).await;
    assert_eq!(all, [calls(ann, 1, 5), calls(ann, 2, 3), calls(bo, 3, 7)]);
    assert_eq!(read(company, vec![ann], 2).await, [calls(ann, 2, 3)]);
    assert_eq!(read(other, vec![ann, cy], 0).await, [calls(ann, 2, 9)]);
    assert_eq!(read(unknown, vec![cy], 0).await, []);
    assert_eq!(read(company, vec![], 0).await, []);
    let expiry = storage.expiry();
    assert_eq!(expiry.delete_key_days(day(3)).await.expect("deleted"), 3);
    assert_eq!(read(company, vec![ann, bo, cy], 0).await, [calls(bo, 3, 7), calls(cy, 3, 4)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_import_of_each_user_is_shown_if_it_rejected_rows() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let other = stored_company(&storage).await.id;
    let mut users = Vec::new();
    for n in 0..3 {
        let user = user(company, &format!("u{n}@acme.example"));
        storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
        users.push(user.id);
    }
    let import = |user: usize, refused, ended: i64| {
        let counts = ImportCounts { created: 5, updated: 4, unchanged: 3, refused };
        LastImport { user: users[user], counts, ended_at: day(ended) }
    };
    for (company, import) in [
        (company, import(0, 1, 0)),
        (company, import(1, 7, 2)),
        (company, import(1, 2, 3)),
        (company, import(2, 9, 3)),
        (company, import(2, 0, 4)),
        (company, import(0, 8, 5)),
        (other, import(0, 6, 6)),
    ] {
        storage.record_import(company, import).await.expect("recorded");
    }
    let found = overview(&storage, company).await.refused_imports;
    assert_eq!(found, [import(0, 8, 5), import(1, 2, 3)]);
    assert_eq!(overview(&storage, other).await.refused_imports, []);
}
