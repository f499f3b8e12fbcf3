//! Values in use are counted by block, whatever order they come and go in.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::{ContactStore, NewContact};
use contact_hub_domain::fields::{Directory, FieldStore, FieldValue, ValuesQuery};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::page::PageRequest;
use contact_hub_storage::{Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;

use crate::sample::{at, new_contact, stored_company, stored_field};

/// More than several blocks have.
const NUMBER: u64 = 5000;

async fn page(
    storage: &Storage,
    company: CompanyId,
    field: FieldId,
    (number, descending): (u64, bool),
) -> (Vec<String>, u64) {
    let page = PageRequest::new(number, 100).expect("a page");
    let listed = storage.list_values(company, field, ValuesQuery { page, descending }).await;
    let listed = listed.expect("an answer").expect("a field");
    let shown = listed.items.iter().map(|value: &FieldValue| value.shown().to_json());
    (shown.collect(), listed.meta.total)
}

/// Some pages in both orders, the first and the last ones among them.
async fn compare(storage: &Storage, company: CompanyId, field: FieldId, expected: &BTreeSet<u64>) {
    let ascending: Vec<String> = expected.iter().map(ToString::to_string).collect();
    let descending: Vec<String> = ascending.iter().rev().cloned().collect();
    let total = u64::try_from(ascending.len()).expect("few");
    for (turned, expected) in [(false, ascending), (true, descending)] {
        let last = total.div_ceil(100);
        for number in (1..=last + 1).filter(|number| number % 8 == 1 || *number >= last) {
            let (values, counted) = page(storage, company, field, (number, turned)).await;
            let offset = usize::try_from((number - 1) * 100).expect("small");
            let expected: Vec<_> = expected.iter().skip(offset).take(100).cloned().collect();
            assert_eq!((values, counted), (expected, total), "page {number}, {turned}");
        }
    }
}

/// One contact for each value, with this number in its address.
fn rows(directory: &Directory, values: impl Iterator<Item = (u64, u64)>) -> Vec<NewContact> {
    let rows = values.map(|(person, value)| {
        let mut new = new_contact(
            directory,
            &format!("p{person}@example.com"),
            &[("one", &value.to_string())],
        );
        new.at = at(i64::try_from(person).expect("small"));
        new
    });
    rows.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn values_in_many_blocks_are_listed_and_counted_as_they_come_and_go() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let field = stored_field(&storage, &company, "One").await.id;
    let directory = FieldStore::list(&storage, company.id).await.expect("fields");
    // In an order without any run of rising values.
    let values: Vec<(u64, u64)> = (0..NUMBER).map(|n| (n, n * 1237 % NUMBER)).collect();
    for part in values.chunks(1000) {
        let rows = rows(&directory, part.iter().copied());
        storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
    }
    let mut expected: BTreeSet<u64> = (0..NUMBER).collect();
    compare(&storage, company.id, field, &expected).await;
    storage.deferred_writes().run().await.expect("done");
    compare(&storage, company.id, field, &expected).await;
    // Whole blocks become empty, and other values come into use behind the last one.
    let changed = values.iter().filter(|(_, value)| (1000..3500).contains(value));
    let changed: Vec<(u64, u64)> = changed.map(|(n, value)| (*n, value + 10_000)).collect();
    for part in changed.chunks(1000) {
        let rows = rows(&directory, part.iter().copied());
        storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
    }
    expected = expected
        .into_iter()
        .map(|n| if (1000..3500).contains(&n) { n + 10_000 } else { n })
        .collect();
    compare(&storage, company.id, field, &expected).await;
    storage.deferred_writes().run().await.expect("done");
    compare(&storage, company.id, field, &expected).await;

    // Two values, with more blocks between them than changes.
    let far: Vec<_> = values.iter().filter(|(_, value)| [7, 4990].contains(value)).collect();
    let far: Vec<(u64, u64)> = far.iter().map(|(n, value)| (*n, value + 20_000)).collect();
    storage
        .upsert_many(company.id.into(), rows(&directory, far.into_iter()), 0, at(0))
        .await
        .expect("a bulk");
    expected =
        expected.into_iter().map(|n| if [7, 4990].contains(&n) { n + 20_000 } else { n }).collect();
    record_plans(&database.url());
    storage.deferred_writes().run().await.expect("done");
    let plans = take_plans(&database.url());
    for named in ["WITH ranges", "WITH placed"] {
        let plan = plans.iter().find(|it| it.statement.starts_with(named)).expect(named);
        let is_whole = |line: &&String| {
            line.contains("Seq Scan on field_value_blocks")
                || line.contains("SCAN field_value_blocks")
        };
        assert_eq!(plan.plan.iter().find(is_whole), None, "{plan:#?}");
    }
    compare(&storage, company.id, field, &expected).await;

    record_plans(&database.url());
    let last = page(&storage, company.id, field, (NUMBER / 100, false)).await;
    assert_eq!(last.0.len(), 100);
    let plans = take_plans(&database.url());
    let values = plans.iter().find(|it| it.statement.contains("FROM field_value_uses"));
    let values = values.expect("a plan of the values");
    assert!(values.statement.contains("sort_key >= "), "{values:?}");
}
