//! Values in use are counted by block, in whatever order they are added and removed.

use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;

use contact_hub_domain::contacts::{ContactStore, ErasureStore, NewContact};
use contact_hub_domain::fields::{Directory, FieldStore, FieldValue, ValuesQuery};
use contact_hub_domain::ids::{CompanyId, ContactId, FieldId};
use contact_hub_domain::page::PageRequest;
use contact_hub_storage::{RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;

use crate::sample::{at, new_contact, stored_company, stored_field};

/// Enough values for several blocks.
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
    let shown = listed.items.iter().map(FieldValue::to_json);
    (shown.collect(), listed.meta.total)
}

/// Some pages in both orders, including the first and the last ones.
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

/// One contact for each value, with the given number in its address.
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

/// A company with a field.
struct Filled {
    storage: Storage,
    company: CompanyId,
    field: FieldId,
    directory: Arc<Directory>,
}

impl Filled {
    /// Each of the numbers below [`NUMBER`] is the value of a contact.
    async fn of(database: &TestDatabase) -> (Self, Vec<(u64, u64)>) {
        let storage = database.storage();
        let company = stored_company(&storage).await;
        let field = stored_field(&storage, &company, "One").await.id;
        let directory = FieldStore::list(&storage, company.id).await.expect("fields");
        let filled = Self { storage, company: company.id, field, directory };
        // In an order without runs of ascending values.
        let values: Vec<(u64, u64)> = (0..NUMBER).map(|n| (n, n * 1237 % NUMBER)).collect();
        filled.write(&values).await;
        (filled, values)
    }

    async fn write(&self, values: &[(u64, u64)]) {
        for part in values.chunks(1000) {
            let rows = rows(&self.directory, part.iter().copied());
            let written = self.storage.upsert_many(self.company.into(), rows, 0, at(0)).await;
            written.expect("a bulk");
        }
    }

    /// A contact with a unique value.
    async fn write_contact(&self, person: u64, value: u64) -> ContactId {
        let row = rows(&self.directory, iter::once((person, value))).remove(0);
        let id = row.id;
        let written = self.storage.upsert_many(self.company.into(), vec![row], 0, at(0)).await;
        written.expect("a bulk");
        id
    }

    async fn apply(&self) {
        self.storage.deferred_writes().run().await.expect("done");
    }

    async fn compare(&self, expected: &BTreeSet<u64>) {
        compare(&self.storage, self.company, self.field, expected).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_in_many_blocks_are_listed_and_counted_as_they_come_and_go() {
    let database = TestDatabase::migrated();
    let (filled, values) = Filled::of(&database).await;
    let mut expected: BTreeSet<u64> = (0..NUMBER).collect();
    filled.compare(&expected).await;
    filled.apply().await;
    filled.compare(&expected).await;
    // Whole blocks become empty, and new values are added after the last one.
    let changed = values.iter().filter(|(_, value)| (1000..3500).contains(value));
    let changed: Vec<(u64, u64)> = changed.map(|(n, value)| (*n, value + 10_000)).collect();
    filled.write(&changed).await;
    pending_changes_are_looked_up_by_their_keys(&database, &filled).await;
    expected = expected
        .into_iter()
        .map(|n| if (1000..3500).contains(&n) { n + 10_000 } else { n })
        .collect();
    filled.compare(&expected).await;
    filled.apply().await;
    filled.compare(&expected).await;

    record_plans(&database.url());
    let last = page(&filled.storage, filled.company, filled.field, (NUMBER / 100, false)).await;
    assert_eq!(last.0.len(), 100);
    let plans = take_plans(&database.url());
    let values = plans.iter().find(|it| it.statement.contains("FROM field_value_uses"));
    let values = values.expect("a plan of the values");
    assert!(values.statement.contains("sort_key >= "), "{values:?}");
}

/// Whatever statistics PostgreSQL has; without good ones it might compare each change with each value in use.
async fn pending_changes_are_looked_up_by_their_keys(database: &TestDatabase, filled: &Filled) {
    drop(take_plans(&database.url()));
    record_plans(&database.url());
    let _page = page(&filled.storage, filled.company, filled.field, (1, false)).await;
    let plans = take_plans(&database.url());
    let is_look_up = |statement: &str| statement.starts_with("SELECT source.sort_key");
    let look_up = plans.iter().find(|it| is_look_up(&it.statement)).expect("a look-up");
    assert!(look_up.plan.iter().any(|line| is_by_key(line)), "{look_up:#?}");
}

/// Whether a line of a plan looks up a value by its full key.
fn is_by_key(line: &str) -> bool {
    line.contains("identity=?") || line.contains("Index Cond") && line.contains("identity = ")
}

/// There are more blocks between the values than there are changes, so the blocks are looked up individually.
#[tokio::test(flavor = "multi_thread")]
async fn distant_values_are_counted_without_reading_the_blocks_between_them() {
    let database = TestDatabase::migrated();
    let (filled, values) = Filled::of(&database).await;
    filled.apply().await;
    let is_far = |value: u64| [7, 4990].contains(&value);
    let changed = values.iter().filter(|(_, value)| is_far(*value));
    let changed: Vec<(u64, u64)> = changed.map(|(n, value)| (*n, value + 20_000)).collect();
    filled.write(&changed).await;
    record_plans(&database.url());
    filled.apply().await;
    let plans = take_plans(&database.url());
    for named in ["WITH ranges", "WITH placed"] {
        let plan = plans.iter().find(|it| it.statement.starts_with(named)).expect(named);
        let is_whole = |line: &&String| {
            line.contains("Seq Scan on field_value_blocks")
                || line.contains("SCAN field_value_blocks")
        };
        assert_eq!(plan.plan.iter().find(is_whole), None, "{plan:#?}");
    }
    let is_delete = |it: &&RecordedPlan| it.statement.starts_with("DELETE FROM field_value_uses");
    let delete = plans.iter().find(is_delete).expect("values that are no longer in use");
    assert!(delete.plan.iter().any(|line| is_by_key(line)), "{delete:#?}");
    let has_places = delete.plan.iter().any(|line| line.contains("Tid Scan"));
    assert_eq!(has_places, database.is_postgres() && database.cluster().is_none(), "{delete:#?}");
    let expected = (0..NUMBER).map(|n| if is_far(n) { n + 20_000 } else { n }).collect();
    filled.compare(&expected).await;
}

/// An erasure makes each block start with a value in use. A plan that PostgreSQL creates while there are few values
/// must not read all of them for each block later.
#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_looks_up_the_first_value_of_each_block() {
    let database = TestDatabase::migrated();
    let (filled, _values) = Filled::of(&database).await;
    filled.apply().await;
    let first = filled.write_contact(NUMBER, NUMBER).await;
    record_plans(&database.url());
    let erased = filled.storage.erase(filled.company.into(), first, None, at(1)).await;
    assert!(erased.expect("an answer"), "no contact");
    let plans = take_plans(&database.url());
    let begins =
        |it: &&RecordedPlan| it.statement.starts_with("UPDATE field_value_blocks SET first");
    let update = plans.iter().find(begins).expect("the beginnings of the blocks");
    let is_join_or_scan = |line: &&String| {
        ["Join", "Nested Loop", "Seq Scan", "SCAN"].iter().any(|it| line.contains(it))
    };
    assert_eq!(update.plan.iter().find(is_join_or_scan), None, "{update:#?}");
    filled.compare(&(0..NUMBER).collect()).await;
}
