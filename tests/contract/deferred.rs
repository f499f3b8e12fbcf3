//! Work that writers defer is included in every answer, and bounded; no writer waits for another because of the counts.

use std::ops::Range;
use std::sync::Arc;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{ContactStore, ListQuery, NewContact, PartRequest, Start};
use contact_hub_domain::fields::{Directory, FieldStore, FieldValue, ValuesQuery};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::page::PageRequest;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::sample::{at, new_contact, page_of, stored_company, stored_field};

const FIELDS: [&str; 3] = ["One", "Two", "Three"];

async fn prepared(storage: &Storage) -> (Company, Arc<Directory>) {
    let company = stored_company(storage).await;
    for name in FIELDS {
        stored_field(storage, &company, name).await;
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    (company, directory)
}

/// Contacts with a unique value, a value that some of them share, and one that all share.
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
    storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
    ids
}

async fn total(storage: &Storage, company: &Company) -> u64 {
    page_of(storage, company.id, ListQuery::default()).await.meta.total
}

fn text(value: &FieldValue) -> String {
    value.to_json()
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

/// How many changes are not yet applied, in bytes.
pub(crate) fn waiting(database: &TestDatabase) -> i64 {
    number(database, "SELECT CAST(coalesce(sum(size), 0) AS bigint) AS number FROM count_changes")
}

/// How many deleted contacts SQLite still has in the indexes of its lists.
fn listed(database: &TestDatabase) -> i64 {
    let text =
        "SELECT count(*) AS number FROM contacts WHERE is_listed = 1 AND deleted_at IS NOT NULL";
    if database.is_postgres() { 0 } else { number(database, text) }
}

pub(crate) fn number(database: &TestDatabase, text: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Number {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    let query = diesel::sql_query(text);
    let url = database.url_text();
    let rows: QueryResult<Number> = if database.is_postgres() {
        query.get_result(&mut PgConnection::establish(url).expect("PostgreSQL"))
    } else {
        let path = url.trim_start_matches("sqlite://");
        query.get_result(&mut SqliteConnection::establish(path).expect("SQLite"))
    };
    rows.expect("a row").number
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_the_same_before_and_after_they_are_applied() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let ids = stored(&storage, &company, rows(&directory, 0..1000, 10)).await;
    storage.deferred_writes().run().await.expect("applied");
    // Some counted contacts are deleted, and some uncounted ones are created and deleted.
    storage.delete_many(company.id.into(), ids[..655].to_vec(), at(60)).await.expect("deleted");
    let ids = stored(&storage, &company, rows(&directory, 1000..2000, 10)).await;
    storage.delete_many(company.id.into(), ids[..105].to_vec(), at(70)).await.expect("deleted");
    assert!(waiting(&database) > 128 << 10, "more than one batch");
    for _before_and_after in 0..2 {
        let of = async |key| in_use(&storage, &company, &directory, key).await;
        let left: Vec<usize> = (655..1000).chain(1105..2000).collect();
        assert_eq!(total(&storage, &company).await, u64::try_from(left.len()).expect("few"));
        let own: Vec<_> = left.iter().map(ToString::to_string).collect();
        assert_eq!(of("one").await, own);
        let mut shared: Vec<_> = left.iter().map(|n| (n / 10).to_string()).collect();
        shared.dedup();
        assert_eq!(of("two").await, shared);
        assert_eq!(of("three").await, ["7"]);
        storage.deferred_writes().run().await.expect("applied");
        assert_eq!(waiting(&database), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_stay_exact_while_they_are_applied_during_writes() {
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
                storage.delete_many(company.id.into(), gone, at(60)).await.expect("deleted");
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        let (first, second) = (one.deferred_writes(), other.deferred_writes());
        let (first, second) = tokio::join!(first.run(), second.run());
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
        storage.deferred_writes().run().await.expect("applied");
    }
    assert_eq!(waiting(&database), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_apply_changes_when_too_many_are_pending() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for bulk in 0..60 {
        stored(&storage, &company, rows(&directory, bulk * 1000..(bulk + 1) * 1000, 1)).await;
    }
    let waiting = waiting(&database);
    assert!((1 << 18..=17 << 19).contains(&waiting), "{waiting} bytes");
    assert_eq!(total(&storage, &company).await, 60_000);
    let field = directory.find("one").expect("a field").id;
    let page = PageRequest::new(600, 100).expect("a page");
    let query = ValuesQuery { page, ..ValuesQuery::default() };
    let page = storage.list_values(company.id, field, query).await.expect("values");
    let page = page.expect("a field");
    assert_eq!(page.meta.total, 60_000);
    assert_eq!(page.items.last().map(text).as_deref(), Some("59999"));
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
    storage.deferred_writes().run().await.expect("applied");
    let mut holder = PgConnection::establish(database.url_text()).expect("PostgreSQL");
    let of_company = format!("WHERE company_id = '{}' FOR UPDATE", company.id);
    holder
        .batch_execute(&format!(
            "BEGIN; SELECT * FROM contact_counts {of_company}; SELECT * FROM field_value_uses {of_company}"
        ))
        .expect("locked");
    let ids = stored(&storage, &company, rows(&directory, 5..15, 10)).await;
    storage.delete_many(company.id.into(), ids, at(60)).await.expect("deleted");
    assert_eq!(total(&storage, &company).await, 10);
    assert_eq!(in_use(&storage, &company, &directory, "two").await, ["0"]);
    holder.batch_execute("ROLLBACK").expect("unlocked");
}

/// The addresses of all contacts that a query finds, in its order.
async fn found(storage: &Storage, company: &Company, query: &str) -> Vec<String> {
    let mut emails = Vec::new();
    for number in 1.. {
        let text = format!("{query}&page[size]=100&page[number]={number}");
        let query = ListQuery::from_query(&text).expect("a query");
        let page = page_of(storage, company.id, query).await;
        emails.extend(page.items.iter().map(|contact| contact.email.as_str().to_owned()));
        if number >= page.meta.last_page {
            assert_eq!(page.meta.total, u64::try_from(emails.len()).expect("few"));
            return emails;
        }
    }
    emails
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_contacts_appear_in_no_list_before_and_after_they_leave_the_indexes() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    let ids = stored(&storage, &company, rows(&directory, 0..700, 10)).await;
    storage.delete_many(company.id.into(), ids[50..].to_vec(), at(60)).await.expect("deleted");
    // One that is deleted is restored while it is still listed.
    stored(&storage, &company, rows(&directory, 60..61, 10)).await;
    assert!(database.is_postgres() || listed(&database) == 649);
    let mut left: Vec<_> = (0..50).chain([60]).map(|n| format!("p{n}@example.com")).collect();
    left.sort();
    for _before_and_after in 0..2 {
        for query in [
            "sort[]=email",
            "sort[]=email&sort[]=last_name",
            "sort[]=email&search=example",
            "sort[]=email&search=p",
            "sort[]=email&filter[email][contains]=p",
            "sort[]=email&filter[email][startsWith]=p",
            "sort[]=email&filter[created_at][gt]=2000-01-01",
            "sort[]=email&filter[updated_at][gt]=2000-01-01",
        ] {
            assert_eq!(found(&storage, &company, query).await, left, "{query}");
        }
        let part = PartRequest { start: Start::Skipping(0), contacts: 1000, bytes: 1 << 20 };
        let part = storage.list_part(company.id, ListQuery::default(), part).await;
        assert_eq!(part.expect("a part").contacts.len(), left.len());
        storage.deferred_writes().run().await.expect("done");
        assert_eq!(listed(&database), 0);
    }
    // One that is no longer listed is restored.
    stored(&storage, &company, rows(&directory, 61..62, 10)).await;
    left.push("p61@example.com".to_owned());
    left.sort();
    assert_eq!(found(&storage, &company, "sort[]=email").await, left);
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_remove_contacts_from_the_indexes_when_too_many_are_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, directory) = prepared(&storage).await;
    for bulk in 0..8 {
        let new = rows(&directory, bulk * 1000..(bulk + 1) * 1000, 1);
        let ids = stored(&storage, &company, new).await;
        storage.delete_many(company.id.into(), ids, at(60)).await.expect("deleted");
    }
    let listed = listed(&database);
    assert!(listed <= 6000, "{listed} of 8,000 contacts");
    assert_eq!(total(&storage, &company).await, 0);
    assert_eq!(found(&storage, &company, "search=example").await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_whose_changes_cannot_be_applied_does_not_delay_others() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    // Ids increase, and companies are visited in the order of their ids.
    let (broken, _) = prepared(&storage).await;
    let (company, directory) = prepared(&storage).await;
    let id = broken.id.uuid().simple().to_string();
    let text = |id: &str| {
        format!(
            "INSERT INTO count_changes (company_id, contacts, size, value_uses) VALUES ({id}, 0, 1, '?')"
        )
    };
    if database.is_postgres() {
        let mut connection = PgConnection::establish(database.url_text()).expect("PostgreSQL");
        connection.batch_execute(&text(&format!("'{id}'"))).expect("a row");
    } else {
        let path = database.url_text().trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite");
        connection.batch_execute(&text(&format!("X'{id}'"))).expect("a row");
    }
    stored(&storage, &company, rows(&directory, 0..10, 10)).await;
    assert!(waiting(&database) > 1);
    storage.deferred_writes().run().await.expect("all companies were tried");
    assert_eq!(waiting(&database), 1);
    assert_eq!(total(&storage, &company).await, 10);
}
