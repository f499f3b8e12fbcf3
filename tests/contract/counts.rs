//! Counts are exact at every moment, and no writer waits for another on them.

use std::ops::Range;
use std::sync::Arc;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{ContactStore, ListQuery, NewContact};
use contact_hub_domain::fields::{Directory, FieldStore, FieldValue, ValuesQuery};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::page::PageRequest;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::sample::{at, new_contact, stored_company, stored_field};

const FIELDS: [&str; 3] = ["One", "Two", "Three"];

async fn prepared(storage: &Storage) -> (Company, Arc<Directory>) {
    let company = stored_company(storage).await;
    for name in FIELDS {
        stored_field(storage, &company, name).await;
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    (company, directory)
}

/// Contacts with a value of their own, one that some of them share, and one that all share.
fn rows(directory: &Directory, numbers: Range<usize>, sharing: usize) -> Vec<NewContact> {
    let row = |n: usize| {
        let (own, shared) = (n.to_string(), (n / sharing).to_string());
        let values = [("one", own.as_str()), ("two", shared.as_str()), ("three", "7")];
        new_contact(directory, &format!("p{n}@example.com"), &values)
    };
    numbers.map(row).collect()
}

async fn stored(storage: &Storage, company: &Company, rows: Vec<NewContact>) -> Vec<ContactId> {
    let ids = rows.iter().map(|row| row.id).collect();
    storage.upsert_many(company.id, rows).await.expect("a bulk");
    ids
}

async fn total(storage: &Storage, company: &Company) -> u64 {
    let page = ContactStore::list(storage, company.id, ListQuery::default()).await;
    page.expect("a list").meta.total
}

fn text(value: &FieldValue) -> String {
    value.shown().to_json()
}

/// All values in use of one field, page by page.
async fn in_use(
    storage: &Storage,
    company: &Company,
    directory: &Directory,
    key: &str,
) -> Vec<String> {
    let field = directory.find(key).expect("a field").id;
    let mut values = Vec::new();
    for number in 1.. {
        let page = PageRequest::new(number, 100).expect("a page");
        let query = ValuesQuery { page, ..ValuesQuery::default() };
        let page = storage.list_values(company.id, field, query).await.expect("values");
        let page = page.expect("a field");
        values.extend(page.items.iter().map(text));
        if number >= page.meta.last_page {
            assert_eq!(page.meta.total, u64::try_from(values.len()).expect("few"));
            break;
        }
    }
    values
}

/// How many changes are not yet applied, in values.
fn waiting(database: &TestDatabase) -> i64 {
    #[derive(QueryableByName)]
    struct Waiting {
        #[diesel(sql_type = BigInt)]
        entries: i64,
    }
    let text = "SELECT CAST(coalesce(sum(entries + 1), 0) AS bigint) AS entries FROM count_changes";
    let query = diesel::sql_query(text);
    let url = database.url_text();
    let rows: QueryResult<Waiting> = if database.is_postgres() {
        query.get_result(&mut PgConnection::establish(url).expect("PostgreSQL"))
    } else {
        let path = url.trim_start_matches("sqlite://");
        query.get_result(&mut SqliteConnection::establish(path).expect("SQLite"))
    };
    rows.expect("a row").entries
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_the_same_before_and_after_they_are_applied() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let ids = stored(&storage, &company, rows(&directory, 0..1000, 10)).await;
    storage.count_upkeep().apply().await.expect("applied");
    // Some of what is counted goes, some of what is not yet counted comes and goes.
    storage.delete_many(company.id, ids[..655].to_vec(), at(60)).await.expect("deleted");
    let ids = stored(&storage, &company, rows(&directory, 1000..2000, 10)).await;
    storage.delete_many(company.id, ids[..105].to_vec(), at(70)).await.expect("deleted");
    assert!(waiting(&database) > 1500, "more than one batch");
    for _before_and_after in 0..2 {
        let of = async |key| in_use(&storage, &company, &directory, key).await;
        let left: Vec<usize> = (655..1000).chain(1105..2000).collect();
        assert_eq!(total(&storage, &company).await, u64::try_from(left.len()).expect("few"));
        let own: Vec<_> = left.iter().map(|n| n.to_string()).collect();
        assert_eq!(of("one").await, own);
        let mut shared: Vec<_> = left.iter().map(|n| (n / 10).to_string()).collect();
        shared.dedup();
        assert_eq!(of("two").await, shared);
        assert_eq!(of("three").await, ["7"]);
        storage.count_upkeep().apply().await.expect("applied");
        assert_eq!(waiting(&database), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_stay_exact_while_they_are_applied_beside_writers() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let (company, directory) = prepared(&one).await;
    let writers = (0..4_usize).map(|writer| {
        let (storage, company, directory) = (one.clone(), company.clone(), Arc::clone(&directory));
        tokio::spawn(async move {
            for part in 0..5 {
                let start = (writer * 5 + part) * 100;
                let ids =
                    stored(&storage, &company, rows(&directory, start..start + 100, 10)).await;
                let gone = ids[..50].to_vec();
                storage.delete_many(company.id, gone, at(60)).await.expect("deleted");
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        let (first, second) = (one.count_upkeep(), other.count_upkeep());
        let (first, second) = tokio::join!(first.apply(), second.apply());
        first.and(second).expect("applied");
    }
    for writer in writers {
        writer.await.expect("no panic");
    }
    for storage in [&one, &other] {
        assert_eq!(total(storage, &company).await, 1000);
        let own = in_use(storage, &company, &directory, "one").await;
        let left = (0..2000).filter(|n| n % 100 >= 50).map(|n| n.to_string());
        assert_eq!(own, left.collect::<Vec<_>>());
        storage.count_upkeep().apply().await.expect("applied");
    }
    assert_eq!(waiting(&database), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_apply_changes_when_too_many_wait() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for bulk in 0..30 {
        stored(&storage, &company, rows(&directory, bulk * 1000..(bulk + 1) * 1000, 1)).await;
    }
    let waiting = waiting(&database);
    assert!((40_000..=55_000).contains(&waiting), "{waiting} changes");
    assert_eq!(total(&storage, &company).await, 30_000);
    let field = directory.find("one").expect("a field").id;
    let page = PageRequest::new(300, 100).expect("a page");
    let query = ValuesQuery { page, ..ValuesQuery::default() };
    let page = storage.list_values(company.id, field, query).await.expect("values");
    let page = page.expect("a field");
    assert_eq!(page.meta.total, 30_000);
    assert_eq!(page.items.last().map(text).as_deref(), Some("29999"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_writer_waits_for_a_lock_on_the_counts() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    stored(&storage, &company, rows(&directory, 0..10, 10)).await;
    storage.count_upkeep().apply().await.expect("applied");
    let mut holder = PgConnection::establish(database.url_text()).expect("PostgreSQL");
    holder
        .batch_execute(
            "BEGIN; SELECT * FROM contact_counts FOR UPDATE; SELECT * FROM field_value_uses FOR UPDATE",
        )
        .expect("locked");
    let ids = stored(&storage, &company, rows(&directory, 5..15, 10)).await;
    storage.delete_many(company.id, ids, at(60)).await.expect("deleted");
    assert_eq!(total(&storage, &company).await, 10);
    assert_eq!(in_use(&storage, &company, &directory, "two").await, ["0"]);
    holder.batch_execute("ROLLBACK").expect("unlocked");
}
