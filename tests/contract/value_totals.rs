//! The total of a list filtered by a field value is exact, whatever has been counted already.

use std::sync::Arc;

use contact_hub_domain::contacts::{
    ContactDraft, ContactStore, ListDraft, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::{Directory, Field, FieldStore, FieldType, Filterable};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::input::Input;
use contact_hub_domain::row_store::RowAdapter;
use contact_hub_storage::{ListLimits, RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use uuid::Uuid;

use crate::memory::Memory;
use crate::plans::{with_ages_of, with_own_plans};
use crate::sample::{at, field, limits, new_contact, page_of, stored_company};

/// With these limits every number of matches is read from the stored counts.
const KEPT: ListLimits = ListLimits { few: 0, walk: 5_000, far: 1000 };

/// As above, but scanning in sort order is rarely considered worthwhile.
const SORTED: ListLimits = ListLimits { few: 100, walk: 1, far: 1000 };

const QUERIES: [&str; 21] = [
    "filter[field:team]=RED",
    "filter[field:team]=re",
    "filter[field:team][startsWith]=re",
    "filter[field:team][startsWith]=ß",
    "filter[field:team][contains]=e",
    "filter[field:team][exists]=true",
    "filter[field:team][exists]=false",
    "filter[field:age]=5.00",
    "filter[field:age][lt]=5",
    "filter[field:age][lte]=5",
    "filter[field:age][gt]=5",
    "filter[field:age][gte]=5",
    "filter[field:age][between]=-3,5",
    "filter[field:age][between]=5,-3",
    "filter[field:age][exists]=false&sort[]=-email",
    "filter[field:age][gt]=0&sort[]=field:team",
    "filter[field:age][gt]=0&sort[]=-field:team&page[size]=2",
    "filter[field:age][gt]=0&sort[]=-last_name&sort[]=field:seen&page[size]=2",
    "filter[field:seen]=2026-01-01T09:00:00Z",
    "filter[field:seen][gt]=2026-01-01T09:00:00Z&sort[]=-created_at",
    "filter[field:seen][lte]=2026-01-01T10:00:00%2B01:00&page[number]=2",
];

/// Values that are equal although they are spelled differently, and values that only share a prefix.
fn values(n: usize) -> Vec<(String, Input)> {
    let long = format!("RE{}", "d".repeat(1000 + n % 2));
    let longest = format!("red{}", "é".repeat(2000 + n % 3));
    let teams = ["red", "Red", "rEd", "re", "red\u{1}", "", "Straße", "STRASSE", &long, &longest];
    let ages = ["5", "5.0", "0.5e1", "-3", "4.999", "1e3", "5.00000000000000000001"];
    let seen = ["2026-01-01T09:00:00Z", "2026-01-01T10:00:00.000+01:00", "2026-01-01T09:00:00.5Z"];
    let all = [
        ("team", teams.get(n % 12).map(|it| Input::from(*it))),
        ("age", ages.get(n % 9).map(|it| Input::Number((*it).to_owned()))),
        ("seen", seen.get(n % 4).map(|it| Input::from(*it))),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// The same contacts in the database and in memory.
struct Both {
    storage: Storage,
    memory: RowAdapter<Memory>,
    company: CompanyId,
    directory: Arc<Directory>,
}

impl Both {
    async fn with_fields(storage: Storage) -> Self {
        let memory = RowAdapter(Memory::default());
        let company = stored_company(&storage).await;
        for (name, kind) in
            [("Team", FieldType::String), ("Age", FieldType::Number), ("Seen", FieldType::DateTime)]
        {
            let field = Field { filterable: Filterable::Yes, ..field(&company, name, kind) };
            let stores: [&dyn FieldStore; 2] = [&storage, &memory];
            for store in stores {
                let made = store.create(company.id.into(), field.clone(), limits(10), at(1));
                made.await.expect("a field");
            }
        }
        let directory = FieldStore::list(&storage, company.id).await.expect("fields");
        Self { storage, memory, company: company.id, directory }
    }

    fn stores(&self) -> [&dyn ContactStore; 2] {
        [&self.storage, &self.memory]
    }

    /// Writes the contacts with the first numbers, each with the values of its second number.
    async fn write(&self, numbers: impl Iterator<Item = (usize, usize)>) {
        let rows = numbers.map(|(n, value)| {
            let draft = ContactDraft {
                email: format!("p{n}@example.com").as_str().into(),
                first_name: "Ann".into(),
                last_name: "Bell".into(),
                field_values: values(value).into_iter().collect(),
                ..ContactDraft::default()
            };
            let input = draft.validate(&self.directory).expect("a valid contact");
            let at = at(i64::try_from(n * 7 % 20).expect("small"));
            NewContact { id: ContactId::new(Uuid::now_v7()), input, at }
        });
        let rows: Vec<NewContact> = rows.collect();
        for store in self.stores() {
            let by = self.company.into();
            store.upsert_many(by, rows.clone(), 0, at(40)).await.expect("a bulk");
        }
    }

    async fn delete(&self, emails: impl Iterator<Item = usize>) {
        let emails: Vec<String> = emails.map(|n| format!("p{n}@example.com")).collect();
        let all = ListQuery::from_query("page[size]=100").expect("a query");
        let all = page_of(&self.memory, self.company, all).await;
        let deleted = all.items.iter().filter(|it| emails.iter().any(|e| e == it.email.as_str()));
        let deleted: Vec<ContactId> = deleted.map(|contact| contact.id).collect();
        assert_eq!(deleted.len(), emails.len());
        for store in self.stores() {
            let by = self.company.into();
            store.delete_many(by, deleted.clone(), at(50)).await.expect("deleted");
        }
    }

    /// Compares every list, before and after the changes of counts are applied.
    async fn compare(&self, step: &str) {
        for applied in [false, true] {
            if applied {
                self.storage.deferred_writes().run().await.expect("applied");
            }
            for text in QUERIES {
                let draft = ListDraft::from_query(text).expect("a draft");
                let query = draft.validate(&self.directory).expect("a query");
                let expected = page_of(&self.memory, self.company, query.clone()).await;
                for limits in [KEPT, SORTED, ListLimits::default()] {
                    let found = self.storage.list_within(self.company, query.clone(), limits);
                    let found = found.await.expect("a list");
                    assert_eq!(found, expected, "{step}, applied: {applied}, {text}, {limits:?}");
                    let (start, contacts) = (Start::Skipping(0), 7);
                    let part = PartRequest { start, contacts, bytes: u32::MAX };
                    let first = self.memory.list_part(self.company, query.clone(), part.clone());
                    let first = first.await.expect("a part");
                    let found =
                        self.storage.list_part_within(self.company, query.clone(), part, limits);
                    assert_eq!(found.await.expect("a part"), first, "{step}, {text}, {limits:?}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn totals_are_exact_before_and_after_changes_are_counted() {
    let database = TestDatabase::migrated();
    let both = Both::with_fields(database.storage()).await;
    both.compare("nobody is there").await;
    both.write((0..60).map(|n| (n, n))).await;
    both.compare("new contacts").await;
    both.write((0..60).step_by(3).map(|n| (n, n + 1))).await;
    both.compare("changed values").await;
    both.delete((0..60).step_by(4)).await;
    both.compare("deleted contacts").await;
    both.write((0..60).step_by(8).map(|n| (n, n + 5))).await;
    both.compare("restored contacts").await;
    both.delete((0..60).filter(|n| n % 4 != 0 || n % 8 == 0)).await;
    both.compare("everybody is gone").await;
}

/// The number of contacts with a unique number: their values fill several blocks.
const NUMBERS: u64 = 4500;

/// The ends of ranges, at the ends of blocks and within them.
const ENDS: [u64; 14] = [0, 1, 249, 250, 501, 999, 1000, 1001, 1999, 2000, 2500, 3001, 4499, 9999];

struct Numbers {
    storage: Storage,
    company: CompanyId,
    directory: Arc<Directory>,
}

impl Numbers {
    async fn with_field(storage: Storage) -> Self {
        let company = stored_company(&storage).await;
        let age =
            Field { filterable: Filterable::Yes, ..field(&company, "Age", FieldType::Number) };
        let made = FieldStore::create(&storage, company.id.into(), age, limits(10), at(1)).await;
        made.expect("a field");
        let directory = FieldStore::list(&storage, company.id).await.expect("fields");
        Self { storage, company: company.id, directory }
    }

    /// Writes a contact for each number, with an email that begins with this text.
    async fn write(&self, who: &str, numbers: impl Iterator<Item = u64>) {
        let row = |n: u64| {
            let (email, age) = (format!("{who}{n}@example.com"), n.to_string());
            new_contact(&self.directory, &email, &[("age", age.as_str())])
        };
        let rows: Vec<NewContact> = numbers.map(row).collect();
        for part in rows.chunks(1000) {
            let by = self.company.into();
            self.storage.upsert_many(by, part.to_vec(), 0, at(0)).await.expect("a bulk");
        }
    }

    /// Compares the totals of ranges with the number of contacts per value, before and after the changes are counted.
    async fn compare(&self, step: &str, times: fn(u64) -> u64) {
        for applied in [false, true] {
            if applied {
                self.storage.deferred_writes().run().await.expect("applied");
            }
            for (place, from) in ENDS.into_iter().enumerate() {
                for to in &ENDS[place..] {
                    let query = format!("filter[field:age][between]={from},{to}&page[size]=1");
                    let draft = ListDraft::from_query(&query).expect("a draft");
                    let query = draft.validate(&self.directory).expect("a query");
                    let found = self.storage.list_within(self.company, query, KEPT).await;
                    let expected: u64 = (from..=(*to).min(NUMBERS - 1)).map(times).sum();
                    let total = found.expect("a list").meta.total;
                    assert_eq!(total, expected, "{step}, applied: {applied}, {from} to {to}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn complete_and_partial_blocks_are_summed() {
    let database = TestDatabase::migrated();
    let numbers = Numbers::with_field(database.storage()).await;
    // In an order without runs of ascending values.
    numbers.write("p", (0..NUMBERS).map(|n| n * 1237 % NUMBERS)).await;
    numbers.compare("each once", |_n| 1).await;
    // No new values are used, so only the numbers of contacts change.
    numbers.write("q", (0..NUMBERS).step_by(3)).await;
    numbers.compare("some twice", |n| 1 + u64::from(n % 3 == 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_are_counted_from_sums_that_are_read_by_key_range() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |n| n % 3 != 0).await;
    storage.deferred_writes().run().await.expect("applied");
    for query in [
        "filter[field:age]=5",
        "filter[field:age][gt]=2",
        "filter[field:age][between]=2,5",
        "filter[field:age][exists]=true",
        "filter[field:age][exists]=false",
    ] {
        record_plans(&database.url());
        let draft = ListDraft::from_query(query).expect("a draft");
        let asked = draft.validate(&directory).expect("a query");
        let page = storage.list_within(company, asked, KEPT).await.expect("a list");
        assert!(page.meta.total > 10, "{query}");
        let plans = take_plans(&database.url());
        let counts = plans.iter().filter(|it| it.statement.contains("count(*)"));
        let counts: Vec<_> = counts.filter(|it| it.statement.contains("indexed_values")).collect();
        // To count all matches, at most one entry of a match is read.
        let is_bounded = |count: &&&RecordedPlan| {
            count.statement.contains("field_value_blocks") && count.statement.contains("LIMIT 1)")
        };
        assert_eq!(counts.iter().filter(is_bounded).count(), 1, "{query}: {plans:#?}");
        assert_eq!(counts.len(), 1, "{query}: {plans:#?}");
        let lines = || counts.iter().flat_map(|it| &it.plan);
        let is_whole = |line: &&String| {
            let line = line.trim();
            line.contains("Seq Scan on")
                || ["SCAN field_value", "SCAN indexed", "SCAN count"]
                    .iter()
                    .any(|it| line.starts_with(it))
        };
        assert_eq!(lines().find(is_whole), None, "{query}: {counts:#?}");
        for table in ["field_value_blocks", "field_value_uses"] {
            let is_by_key = |line: &String| {
                line.contains(&format!("using {table}_pkey"))
                    || line.contains(&format!("SEARCH {table} USING PRIMARY KEY"))
            };
            assert!(lines().any(is_by_key), "{query}: {counts:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_contact_is_read_where_none_matches() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |_n| true).await;
    for query in ["filter[field:age][exists]=false", "filter[field:age][gt]=1000"] {
        for applied in [false, true] {
            if applied {
                storage.deferred_writes().run().await.expect("applied");
            }
            record_plans(&database.url());
            let draft = ListDraft::from_query(query).expect("a draft");
            let asked = draft.validate(&directory).expect("a query");
            let page = storage.list_within(company, asked, KEPT).await.expect("a list");
            assert_eq!((page.meta.total, page.items.len()), (0, 0));
            let plans = take_plans(&database.url());
            let reads = plans.iter().find(|it| it.statement.contains("FROM contacts"));
            assert!(!plans.is_empty() && reads.is_none(), "{query}: {reads:#?}");
        }
    }
}
