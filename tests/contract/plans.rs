//! Every list is served by an index that begins with the company.

use std::sync::Arc;

use contact_hub_domain::contacts::{
    ContactStore as _, KeyValue, ListDraft, ListQuery, PartRequest, PersonName, Place, Start,
};
use contact_hub_domain::fields::{Directory, Field, FieldStore, FieldType, Filterable};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::input::FromText as _;
use contact_hub_storage::{ListLimits, RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::sample::{at, field, limits, new_contact, stored_company};

const UNFILTERED: [&str; 6] = [
    "",
    "sort[]=-created_at",
    "sort[]=email",
    "sort[]=-email",
    "sort[]=first_name",
    "sort[]=-last_name",
];

const FILTERED: [&str; 18] = [
    "filter[email]=a@x.example",
    "filter[email][startsWith]=ann",
    "filter[email][contains]=example",
    "filter[email][!=]=ann",
    "filter[first_name][gt]=ann",
    "filter[first_name][lt]=ann",
    "filter[last_name][between]=a,b",
    "filter[last_name][notContains]=xyz",
    "filter[created_at][gt]=2026-01-01",
    "filter[updated_at][gt]=2026-01-01",
    "filter[updated_at][between]=2026-01-01,2026-02-01",
    "search=smith",
    "search=xy",
    "search=x+yz",
    "search=smith+xy",
    "search=smith&sort[]=-last_name",
    "search=smith+jo&sort[]=last_name&sort[]=-email",
    "filter[email]=a@x.example&filter[updated_at][lt]=2026-01-01&sort[]=created_at&sort[]=email",
];

/// A database that is not on a cluster. On a cluster, the plans would be those of the shards.
pub(super) fn with_own_plans() -> Option<TestDatabase> {
    let database = TestDatabase::migrated();
    database.cluster().is_none().then_some(database)
}

/// Limits for each way of finding matches among few contacts.
pub(crate) const LIMITS: [ListLimits; 3] = [
    ListLimits { few: 20_000, walk: 50_000, far: 1000 },
    ListLimits { few: 0, walk: 50_000, far: 0 },
    ListLimits { few: 0, walk: 0, far: 0 },
];

/// Stores some contacts, since some ways of finding matches are not tried without any.
async fn stored(storage: &Storage, company: CompanyId) {
    let rows = (0..200).map(|n| {
        let email = format!("{}{n}@x.example", ["ann", "smith", "bo"][n % 3]);
        new_contact(&Directory::default(), &email, &[])
    });
    storage.upsert_many(company.into(), rows.collect(), 0, at(0)).await.expect("a bulk");
}

/// Such a database with a company that has contacts.
pub(crate) async fn with_contacts() -> Option<(TestDatabase, Storage, CompanyId)> {
    let database = with_own_plans()?;
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    stored(&storage, company).await;
    Some((database, storage, company))
}

/// The plans of the statements that read contacts for a list.
pub(crate) async fn plans_of(
    database: &TestDatabase,
    storage: &Storage,
    company: CompanyId,
    query: &str,
    limits: ListLimits,
) -> Vec<RecordedPlan> {
    record_plans(&database.url());
    let query = ListQuery::from_query(query).expect("a query").without_values();
    storage.list_within(company, query, limits).await.expect("a list");
    let plans = take_plans(&database.url()).into_iter();
    plans.filter(|it| it.statement.contains("FROM contacts")).collect()
}

/// Lists by the values of a field, with the index that serves each.
const BY_VALUE: [(&str, &str); 9] = [
    ("filter[field:age]=5", "indexed_values_by_key"),
    ("filter[field:age][gt]=1&filter[field:age][lt]=5", "indexed_values_by_key"),
    ("filter[field:age][between]=5,9&sort[]=-email", "indexed_values_by_key"),
    ("filter[field:age][exists]=true&filter[email]=ann1@x.example", "contacts_by_email"),
    ("filter[field:age][exists]=false&filter[first_name]=ann", "contacts_by_first_name"),
    ("filter[field:age][gt]=5&search=smith", "contacts_"),
    ("sort[]=field:age", "indexed_values_by_key"),
    ("sort[]=-field:age&sort[]=email&filter[created_at][gt]=2020-01-01", "contacts_by_created_at"),
    ("sort[]=last_name&sort[]=field:age", "contacts_by_last_name"),
];

/// Whether a step joins the values of two fields such that it may cost the product of their numbers.
fn is_product(line: &str) -> bool {
    let joins = line.contains("Semi Join") || line.contains("Anti Join");
    (joins && !line.contains("Hash ")) || line.contains("Join Filter: ")
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_by_values_are_served_by_indexes() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages(&database).await;
    for (query, index) in BY_VALUE {
        for limits in LIMITS {
            record_plans(&database.url());
            let draft = ListDraft::from_query(query).expect("a draft");
            let asked = draft.validate(&directory).expect("a query");
            storage.list_within(company, asked, limits).await.expect("a list");
            let plans = take_plans(&database.url());
            let is_served = plans.iter().flat_map(|it| &it.plan).any(|line| line.contains(index));
            assert!(is_served, "{query}: {plans:#?}");
            let of_values = plans.iter().filter(|it| it.statement.contains("indexed_values"));
            let lines = || of_values.clone().flat_map(|plan| &plan.plan);
            let is_whole = |line: &str| {
                reads_everything(line)
                    || line.contains("Seq Scan on indexed_values")
                    || line.trim() == "SCAN indexed_values"
                    || is_product(line)
            };
            // SQLite names a scan in sort order after the table.
            let walks = lines().any(|line| line.trim() == "CO-ROUTINE contacts");
            let is_own = |line: &str| walks && line.trim() == "SCAN contacts";
            let offending = lines().find(|line| is_whole(line) && !is_own(line));
            assert_eq!(offending, None, "{query}: {plans:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_of_a_value_are_sorted_by_creation_without_reading_contacts() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages(&database).await;
    for query in ["filter[field:age]=5", "filter[field:age][between]=2,3&sort[]=-created_at"] {
        record_plans(&database.url());
        let draft = ListDraft::from_query(query).expect("a draft");
        let asked = draft.validate(&directory).expect("a query");
        let page = storage.list_within(company, asked, ListLimits::default()).await;
        assert!(!page.expect("a list").items.is_empty());
        let hits: Vec<RecordedPlan> = take_plans(&database.url())
            .into_iter()
            .filter(|it| it.statement.contains("contact_id AS id, contact_created_at"))
            .collect();
        let is_alone = |line: &String| {
            line.contains("Index Only Scan using indexed_values_by_key")
                || line.contains("COVERING INDEX indexed_values_by_key")
        };
        assert!(hits.iter().any(|hits| hits.plan.iter().any(is_alone)), "{query}: {hits:#?}");
    }
}

/// A company with contacts, most of which have an age.
pub(super) async fn with_ages(database: &TestDatabase) -> (Storage, CompanyId, Arc<Directory>) {
    with_ages_of(database, |n| n % 3 != 0).await
}

/// A company with 200 contacts; those that the predicate selects have an age.
pub(crate) async fn with_ages_of(
    database: &TestDatabase,
    has_age: impl Fn(u32) -> bool,
) -> (Storage, CompanyId, Arc<Directory>) {
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let age = Field { filterable: Filterable::Yes, ..field(&company, "Age", FieldType::Number) };
    FieldStore::create(&storage, company.id.into(), age, limits(10), at(1)).await.expect("a field");
    let directory = FieldStore::list(&storage, company.id).await.expect("fields");
    let rows = (0..200).map(|n| {
        let (email, age) = (format!("ann{n}@x.example"), (n % 7).to_string());
        let values = [("age", age.as_str())];
        new_contact(&directory, &email, if has_age(n) { &values } else { &[] })
    });
    storage.upsert_many(company.id.into(), rows.collect(), 0, at(0)).await.expect("a bulk");
    (storage, company.id, directory)
}

/// PostgreSQL would scan an empty table whatever indexes there are, so sequential scans are disabled where possible.
pub(crate) fn prefer_indexes(database: &TestDatabase) {
    if database.is_postgres() {
        let mut connection =
            PgConnection::establish(database.url_text()).expect("PostgreSQL answers");
        let name = database.url_text().rsplit('/').next().expect("a name").to_owned();
        let text = format!(
            "ALTER DATABASE {name} SET enable_seqscan = off; ALTER DATABASE {name} SET enable_sort = off"
        );
        connection.batch_execute(&text).expect("it is set");
    }
}

/// Whether a line reads contacts other than through an index of the company.
fn reads_everything(line: &str) -> bool {
    let is_whole_scan = line.contains("Seq Scan on contacts") || line.trim() == "SCAN contacts";
    let foreign_index = line.contains("SCAN contacts USING") && !line.contains("company_id=");
    is_whole_scan || foreign_index
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_is_served_by_an_index_of_the_company() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for query in UNFILTERED.into_iter().chain(FILTERED) {
        for limits in LIMITS {
            let plans = plans_of(&database, &storage, company, query, limits).await;
            assert!(!plans.is_empty(), "{query}");
            for plan in plans {
                // SQLite names a scan in sort order after the table.
                let walks = plan.plan.iter().any(|line| line.trim() == "CO-ROUTINE contacts");
                let is_own = |line: &str| walks && line.trim() == "SCAN contacts";
                let offending =
                    plan.plan.iter().find(|line| reads_everything(line) && !is_own(line));
                assert_eq!(offending, None, "{query}: {plan:#?}");
                let indexes = ["contacts_by_", "SCAN contacts_search VIRTUAL TABLE"];
                let is_served = |line: &String| indexes.iter().any(|index| line.contains(index));
                assert!(plan.plan.iter().any(is_served), "{query}: {plan:#?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_part_of_a_list_is_served_by_an_index_of_the_company() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for text in UNFILTERED.into_iter().chain(FILTERED) {
        for limits in LIMITS {
            record_plans(&database.url());
            let query = ListQuery::from_query(text).expect("a query");
            for query in [query.clone(), query.without_values()] {
                let mut start = Start::Skipping(0);
                for _ in 0..2 {
                    let part = PartRequest { start: start.clone(), contacts: 3, bytes: 1000 };
                    let part = storage.list_part_within(company, query.clone(), part, limits).await;
                    let last = part.expect("a part").contacts.pop();
                    let Some(last) = last else { break };
                    start = Start::Behind(Place::of(&last, &query.sorts));
                }
            }
            for plan in take_plans(&database.url()) {
                let walks = plan.plan.iter().any(|line| line.contains("CO-ROUTINE contacts"));
                let is_own = |line: &str| walks && line.trim() == "SCAN contacts";
                let offending =
                    plan.plan.iter().find(|line| reads_everything(line) && !is_own(line));
                assert_eq!(offending, None, "{text}: {plan:#?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_with_a_rare_condition_does_not_scan_the_list() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for text in [
        "filter[email]=nobody@example.com",
        "filter[last_name][startsWith]=zz",
        "filter[updated_at][gt]=2099-01-01",
        "search=zz",
    ] {
        record_plans(&database.url());
        let query = ListQuery::from_query(text).expect("a query");
        let part = PartRequest { start: Start::Skipping(0), contacts: 3, bytes: 1000 };
        let part = storage.list_part(company, query, part).await.expect("a part");
        assert_eq!(part.contacts, [], "{text}");
        let plans = take_plans(&database.url());
        assert!(!plans.is_empty(), "{text}");
        for plan in plans {
            let walk = plan.plan.iter().find(|line| line.contains("contacts_by_created_at"));
            assert_eq!(walk, None, "{text}: {plan:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_ties_of_the_first_of_several_sort_keys_are_sorted() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for (query, index) in [
        ("sort[]=last_name&sort[]=-created_at", "contacts_by_last_name"),
        ("sort[]=-first_name&sort[]=last_name", "contacts_by_first_name"),
        ("sort[]=-created_at&sort[]=email", "contacts_by_created_at"),
        ("sort[]=last_name&sort[]=email&page[number]=3", "contacts_by_last_name"),
    ] {
        for far in [0, 1000] {
            let limits = ListLimits { far, ..ListLimits::default() };
            let plans = plans_of(&database, &storage, company, query, limits).await;
            let plan = plans.last().expect("a plan");
            let partly = if database.is_postgres() { "Incremental Sort" } else { "OF ORDER BY" };
            for part in [index, partly] {
                assert!(plan.plan.iter().any(|line| line.contains(part)), "{query}: {plan:#?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfiltered_page_is_read_in_index_order_and_not_sorted() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for query in UNFILTERED {
        let limits = ListLimits::default();
        let plans = plans_of(&database, &storage, company, query, limits).await;
        let plan = &plans.last().expect("a plan").plan;
        // The steps below the limit find the page; the ones above it only sort the rows of the page.
        let finds = plan.iter().skip_while(|line| !line.contains("Limit"));
        let below: Vec<&String> = finds.collect();
        assert!(!below.iter().any(|line| line.contains("Sort")), "{query}: {plan:#?}");
        if !database.is_postgres() {
            let sorts = plan.iter().filter(|line| line.contains("USE TEMP B-TREE FOR ORDER BY"));
            assert!(sorts.count() <= 1, "{query}: {plan:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_an_export_starts_at_the_end_of_the_previous_one() {
    let Some(database) = with_own_plans() else { return };
    prefer_indexes(&database);
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    record_plans(&database.url());
    let place =
        Place { keys: vec![KeyValue::Moment(at(1))], id: ContactId::new(Uuid::from_u128(1)) };
    for start in [Start::Skipping(0), Start::Behind(place)] {
        let query = ListQuery::from_query("").expect("a query");
        let part = PartRequest { start, contacts: 100, bytes: 1000 };
        storage.list_part(company, query, part).await.expect("a part");
    }
    let plans = take_plans(&database.url());
    let pages: Vec<_> = plans.iter().filter(|it| it.statement.contains("AS sized")).collect();
    assert_eq!(pages.len(), 2, "{plans:#?}");
    for (part, bounded) in pages.into_iter().zip([false, true]) {
        let offending = part.plan.iter().find(|line| reads_everything(line));
        assert_eq!(offending, None, "{part:#?}");
        let walks = part.plan.join("\n");
        assert!(walks.contains("contacts_by_created_at"), "{part:#?}");
        // Only the rows of the part are sorted, after they have been found.
        let found = part.plan.iter().skip_while(|line| !line.contains("Limit"));
        assert!(!found.into_iter().any(|line| line.contains("Sort")), "{part:#?}");
        if bounded {
            let from = if database.is_postgres() { "ROW(created_at, id) > " } else { "created_at" };
            assert!(walks.contains(from), "{part:#?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_only_updates_the_texts_that_differ() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let directory = FieldStore::list(&storage, company.id).await.expect("fields");
    let rows = |last_name: &str| {
        let row = |n: i64| {
            let mut row = new_contact(&directory, &format!("p{n}@example.com"), &[]);
            row.input.last_name = PersonName::from_text(last_name).expect("a name");
            row.at = at(n);
            row
        };
        (0..3).map(row).collect::<Vec<_>>()
    };
    storage.upsert_many(company.id.into(), rows("Before"), 0, at(0)).await.expect("a bulk");
    drop(take_plans(&database.url()));
    record_plans(&database.url());
    storage.upsert_many(company.id.into(), rows("After"), 0, at(0)).await.expect("a bulk");
    let plans = take_plans(&database.url());
    let updates: Vec<_> =
        plans.iter().filter(|it| it.statement.starts_with("UPDATE contacts")).collect();
    assert_eq!(updates.len(), 1, "{updates:#?}");
    let text = &updates[0].statement;
    let (assigned, _rows) = text.split_once(" FROM ").expect("an UPDATE of rows");
    for (column, is_assigned) in [
        ("last_name_folded =", true),
        ("field_values =", true),
        ("first_name_folded =", false),
        ("email_folded =", false),
        ("is_listed =", false),
        ("deleted_at =", false),
    ] {
        assert_eq!(assigned.contains(column), is_assigned, "{column}: {text}");
    }
}
