//! Any list from the database equals the list that the domain's rules give for the same rows.

use std::sync::Arc;

use contact_hub_domain::contacts::{
    Condition, Contact, ContactDraft, ContactStore, Folded, ListQuery, MAX_SORTS, MomentAttribute,
    MomentTest, NewContact, PartRequest, Place, Search, Sort, SortKey, Sorts, Start, TextAttribute,
    TextTest,
};
use contact_hub_domain::fields::{
    Directory, Field, FieldStore, FieldValues, Filterable, ValuesQuery,
};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::row_store::RowAdapter;
use contact_hub_storage::{ListLimits, Storage};
use contact_hub_tests::TestDatabase;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use uuid::Uuid;

use crate::lists_by_value::{FIELDS, by_values, values, with_values};
use crate::memory::Memory;
use crate::sample::{MANY, at, field, limits, page_of, stored_company};

const CONTACTS: usize = 150;

/// Limits that cause each way of finding matches to be used even with few contacts.
const LIMITS: [ListLimits; 5] = [
    ListLimits { few: 0, walk: 1, far: 0 },
    ListLimits { few: 0, walk: 1000, far: 1 },
    ListLimits { few: 5, walk: 3, far: 10 },
    ListLimits { few: 30, walk: 20, far: 1000 },
    ListLimits { few: 50_000, walk: 5_000, far: 1000 },
];

/// Prefixes, suffixes and whole texts that occur in several names and addresses, or in none.
const PARTS: [&str; 26] = [
    "a",
    "an",
    "ann",
    "Anna",
    "anna-maria",
    "Ä",
    "äb",
    "SS",
    "ß",
    "徐",
    "徐明",
    "%",
    "_",
    "\\",
    "zzz",
    "example",
    "EXAMPLE.com",
    "@exa",
    "3@exa",
    "3@exa@",
    ".14@EXAMPLE.org",
    "@äb",
    "4@äb.e",
    "31@",
    "--@ex",
    "-.@",
];

const NAMES: [&str; 13] = [
    "Ann",
    "Anna",
    "ANNA-Maria",
    "Äbel",
    "Strauß",
    "STRAUSS",
    "徐",
    "徐明",
    "O'Hara",
    "100%",
    "a_b",
    "Back\\slash",
    "Ann 3@exa@",
];

fn part() -> impl Strategy<Value = Folded> {
    select(&PARTS[..]).prop_map(Folded::of)
}

fn text_test() -> impl Strategy<Value = TextTest> {
    prop_oneof![
        part().prop_map(TextTest::Equal),
        part().prop_map(TextTest::NotEqual),
        part().prop_map(TextTest::StartsWith),
        part().prop_map(TextTest::Contains),
        part().prop_map(TextTest::NotContains),
        part().prop_map(TextTest::Greater),
        part().prop_map(TextTest::Less),
        (part(), part()).prop_map(|(lower, upper)| TextTest::Between(lower, upper)),
    ]
}

fn moment_test() -> impl Strategy<Value = MomentTest> {
    let moment = || (0_i64..20).prop_map(at);
    prop_oneof![
        moment().prop_map(MomentTest::After),
        moment().prop_map(MomentTest::Before),
        (moment(), moment()).prop_map(|(first, last)| MomentTest::Between(first, last)),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let text =
        select(vec![TextAttribute::Email, TextAttribute::FirstName, TextAttribute::LastName]);
    let moment = select(vec![MomentAttribute::CreatedAt, MomentAttribute::UpdatedAt]);
    prop_oneof![
        3 => (text, text_test()).prop_map(|(attribute, test)| Condition::Text { attribute, test }),
        1 => (moment, moment_test())
            .prop_map(|(attribute, test)| Condition::Moment { attribute, test }),
    ]
}

fn sorts() -> impl Strategy<Value = Sorts> {
    let keys = vec![SortKey::Email, SortKey::FirstName, SortKey::LastName, SortKey::CreatedAt];
    let keys = subsequence(keys, 1..=MAX_SORTS).prop_shuffle();
    (keys, any::<[bool; MAX_SORTS]>()).prop_map(|(keys, descending)| {
        let sorts = keys.into_iter().zip(descending);
        let sorts = sorts.map(|(key, descending)| Sort { key, descending });
        Sorts::new(sorts.collect()).expect("distinct keys")
    })
}

fn query() -> impl Strategy<Value = ListQuery> {
    let search = prop::collection::vec(select(&PARTS[..]), 0..3);
    let conditions = prop::collection::vec(condition(), 0..3);
    let page = (1_u64..8, 1_u32..40);
    (page, sorts(), conditions, search).prop_map(|((number, size), sorts, conditions, terms)| {
        let page = PageRequest::new(number, size).expect("a page");
        let search = Search::parse(&terms.join(" ")).expect("a search");
        ListQuery { page, sorts, conditions, search, omits_values: false }
    })
}

fn row() -> impl Strategy<Value = (&'static str, &'static str, u8, i64)> {
    (select(&NAMES[..]), select(&NAMES[..]), any::<u8>(), 0_i64..20)
}

/// The same rows in the database and in memory, some of them deleted.
async fn stored_in_both(
    storage: &Storage,
    memory: &RowAdapter<Memory>,
    rows: Vec<(&'static str, &'static str, u8, i64)>,
) -> CompanyId {
    let company = stored_company(storage).await;
    let fields = FIELDS
        .map(|(name, kind)| Field { filterable: Filterable::Yes, ..field(&company, name, kind) });
    let stores: [&dyn FieldStore; 2] = [storage, memory];
    for store in stores {
        for field in &fields {
            store
                .create(company.id.into(), field.clone(), limits(MANY), at(1))
                .await
                .expect("a field");
        }
    }
    let directory: Arc<Directory> = FieldStore::list(storage, company.id).await.expect("fields");
    let contacts = rows.into_iter().enumerate().map(|(n, (first, last, team, moment))| {
        let domain = ["example.com", "Example.ORG", "mail.example.com", "Äb.example"][n % 5 % 4];
        let email = format!("{}.{n}@{domain}", ["ann", "ANNA", "max", "x"][n % 4]);
        let draft = ContactDraft {
            email: email.as_str().into(),
            first_name: first.into(),
            last_name: last.into(),
            field_values: values(team).into_iter().collect(),
            ..ContactDraft::default()
        };
        let input = draft.validate(&directory).expect("a valid contact");
        NewContact { id: ContactId::new(Uuid::now_v7()), input, at: at(moment) }
    });
    let contacts: Vec<NewContact> = contacts.collect();
    let deleted: Vec<_> = contacts.iter().skip(3).step_by(7).map(|new| new.id).collect();
    let stores: [&dyn ContactStore; 2] = [storage, memory];
    for store in stores {
        store.upsert_many(company.id.into(), contacts.clone(), 0, at(0)).await.expect("a bulk");
        store.delete_many(company.id.into(), deleted.clone(), at(30)).await.expect("deleted");
    }
    company.id
}

/// The parts of a list, starting at the query's page, with and without the values of the contacts.
async fn compare_parts(
    storage: &Storage,
    memory: &RowAdapter<Memory>,
    company: CompanyId,
    query: &ListQuery,
    limits: ListLimits,
) -> Result<(), TestCaseError> {
    let mut start = Start::Skipping(query.page.offset());
    loop {
        let part = PartRequest { start, contacts: query.page.size(), bytes: u32::MAX };
        let expected = memory.list_part(company, query.clone(), part.clone()).await;
        let expected = expected.expect("a part");
        let found = storage.list_part_within(company, query.clone(), part.clone(), limits).await;
        prop_assert_eq!(found.expect("a part"), expected.clone(), "{:?}", limits);
        let query_without = query.clone().without_values();
        if query_without.omits_values {
            let found = storage.list_part_within(company, query_without, part, limits).await;
            let found = found.expect("a part");
            let without =
                |contact: &Contact| Contact { field_values: FieldValues::new(), ..contact.clone() };
            let expected_without: Vec<_> = expected.contacts.iter().map(without).collect();
            prop_assert_eq!(
                (found.contacts, found.goes_on),
                (expected_without, expected.goes_on),
                "{:?}",
                limits
            );
        }
        let last = expected.contacts.last().filter(|_| expected.goes_on);
        let Some(last) = last else { return Ok(()) };
        start = Start::Behind(Place::of(last, &query.sorts));
    }
}

#[test]
fn any_list_matches_the_rules_of_the_domain() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let database = TestDatabase::migrated();
    let storage = {
        let _entered = runtime.enter();
        database.storage()
    };
    let config = |cases| Config { cases, failure_persistence: None, ..Config::default() };
    let rows = prop::collection::vec(row(), CONTACTS);
    let queries = prop::collection::vec((query(), by_values(), any::<bool>()), 60);
    let compared = TestRunner::new(config(4)).run(&(rows, queries), |(rows, queries)| {
        runtime.block_on(async {
            let memory = RowAdapter(Memory::default());
            let company = stored_in_both(&storage, &memory, rows).await;
            let directory = FieldStore::list(&memory, company).await.expect("fields");
            for (query, by_values, descending) in queries {
                let query = with_values(query, &by_values, &directory);
                let expected = page_of(&memory, company, query.clone()).await;
                for limits in LIMITS {
                    let found = storage.list_within(company, query.clone(), limits).await;
                    prop_assert_eq!(
                        found.expect("a list"),
                        expected.clone(),
                        "{:?} {:?}",
                        limits,
                        query
                    );
                    compare_parts(&storage, &memory, company, &query, limits).await?;
                }
                let field =
                    FieldStore::list(&memory, company).await.expect("fields").fields()[0].id;
                let values = ValuesQuery { page: query.page, descending };
                let found = storage.list_values(company, field, values).await.expect("values");
                let expected = memory.list_values(company, field, values).await.expect("values");
                prop_assert_eq!(found, expected, "{:?}", values);
            }
            Ok(())
        })
    });
    compared.expect("the database and the rules agree");
}
