//! The statistics of PostgreSQL follow tables that grow.

use contact_hub_domain::contacts::ContactStore;
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_storage::{Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::plans::with_own_plans;
use crate::sample::{at, new_contact, stored_company};

/// Fills the tables of a new database; returns one of the contacts.
async fn filled(database: &TestDatabase, storage: &Storage) -> (CompanyId, ContactId) {
    // As in a new database, whatever the statistics of the template are.
    database.execute(
        "UPDATE pg_class SET relpages = 0, reltuples = -1 \
         WHERE relkind = 'r' AND relnamespace = CAST('public' AS regnamespace)",
    );
    let company = stored_company(storage).await;
    let mut last = None;
    for bulk in 0..5 {
        let rows = (0..1000)
            .map(|n| new_contact(&Directory::default(), &format!("p{bulk}-{n}@x.example"), &[]));
        let rows: Vec<_> = rows.collect();
        last = rows.last().map(|row| row.id);
        storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
    }
    (company.id, last.expect("a contact"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_has_grown_is_analysed_once_and_rows_are_then_found_by_id() {
    let Some(database) = with_own_plans() else { return };
    let storage = database.storage();
    let Some(statistics) = storage.statistics() else {
        assert!(!database.is_postgres(), "SQLite is used without statistics");
        return;
    };
    assert_eq!(statistics.renew().await.expect("empty tables"), [""; 0]);
    let (company, contact) = filled(&database, &storage).await;
    let renewed = statistics.renew().await.expect("an analysis");
    assert!(renewed.contains(&"contacts") && renewed.contains(&"changes"), "{renewed:?}");
    assert!(!renewed.contains(&"users"), "{renewed:?}");

    record_plans(&database.url());
    let found = ContactStore::read(&storage, company, contact).await.expect("an answer");
    assert!(found.is_some());
    let plans = take_plans(&database.url());
    let read = plans.iter().find(|it| it.statement.contains("FROM contacts")).expect("a read");
    assert!(read.plan.iter().any(|line| line.contains("contacts_pkey")), "{:#?}", read.plan);

    assert_eq!(statistics.renew().await.expect("an answer"), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_cannot_be_analysed_does_not_block_others() {
    let Some(database) = with_own_plans() else { return };
    let storage = database.storage();
    let Some(statistics) = storage.statistics() else { return };
    let _filled = filled(&database, &storage).await;
    // ANALYZE computes the expressions of indexes.
    database.execute(
        "CREATE FUNCTION broken(uuid) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; \
         CREATE INDEX broken ON contacts (broken(id)); \
         UPDATE pg_class SET relpages = 0 WHERE oid = CAST('contacts' AS regclass); \
         CREATE OR REPLACE FUNCTION broken(uuid) RETURNS int IMMUTABLE LANGUAGE plpgsql \
         AS 'BEGIN RAISE EXCEPTION ''broken''; END'",
    );
    assert!(statistics.renew().await.is_err());
    database.execute("DROP INDEX broken");
    assert_eq!(statistics.renew().await.expect("an analysis"), ["contacts"]);
}

/// Autovacuum would wait until a tenth of all contacts has changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_company_gets_statistics_even_if_its_table_has_not_doubled() {
    let Some(database) = with_own_plans() else { return };
    let storage = database.storage();
    let Some(statistics) = storage.statistics() else { return };
    let _first = filled(&database, &storage).await;
    statistics.renew().await.expect("an analysis");
    let company = stored_company(&storage).await.id;
    let new = |bulk: u32| {
        let address = move |n: u32| format!("n{bulk}-{n}@x.example");
        let rows = (0..1000).map(move |n| new_contact(&Directory::default(), &address(n), &[]));
        rows.collect::<Vec<_>>()
    };
    for bulk in 0..2 {
        storage.upsert_many(company.into(), new(bulk), 0, at(0)).await.expect("a bulk");
        storage.deferred_writes().run().await.expect("counted");
    }
    let renewed = statistics.renew().await.expect("an analysis");
    assert!(renewed.contains(&"contacts"), "{renewed:?}");
    record_plans(&database.url());
    let contact = ContactId::new(Uuid::from_u128(1));
    let found = ContactStore::read(&storage, company, contact).await.expect("an answer");
    assert_eq!(found, None);
    let plans = take_plans(&database.url());
    let read = plans.iter().find(|it| it.statement.contains("FROM contacts")).expect("a read");
    let is_by_id = |line: &String| line.contains("Index Cond") && line.contains("id = ANY");
    assert!(read.plan.iter().any(is_by_id), "{:#?}", read.plan);
    assert_eq!(statistics.renew().await.expect("an answer"), [""; 0]);
}
