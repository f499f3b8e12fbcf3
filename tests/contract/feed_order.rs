//! The order of one contact's entries in the feed, when several transactions change it.

use std::time::Duration;

use contact_hub_domain::changes::{ChangeStore, ChangeType};
use contact_hub_domain::contacts::{ContactStore, CreateContactOutcome, ExpectedVersion};
use contact_hub_domain::fields::Directory;
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _};

use crate::plans::with_own_plans;
use crate::sample::{at, new_contact, stored_company};

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Returns once a transaction of this database waits for another one.
pub(crate) async fn until_one_waits(connection: &mut PgConnection) {
    until_waiting(connection, 1).await;
}

async fn until_waiting(connection: &mut PgConnection, number: i64) {
    let text = "SELECT count(*) AS number FROM pg_stat_activity \
         WHERE datname = current_database() AND wait_event_type = 'Lock'";
    loop {
        let waiting: Waiting = diesel::sql_query(text).get_result(connection).expect("a number");
        if waiting.number >= number {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A bulk has locked the first of three contacts and waits for the second one when the third one is deleted. So it
/// restores the third one, although it began before the deletion.
#[tokio::test(flavor = "multi_thread")]
async fn a_bulk_that_waited_comes_after_writes_made_in_the_meantime() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let rows = |at_micros| {
        let emails = ["one@x.example", "two@x.example", "three@x.example"];
        let rows = emails.map(|email| {
            let mut row = new_contact(&Directory::default(), email, &[]);
            row.at = at(at_micros);
            row
        });
        Vec::from(rows)
    };
    let first = rows(1);
    let mut ids: Vec<_> = first.iter().map(|row| row.id).collect();
    ids.sort_unstable();
    storage.upsert_many(company.into(), first, 0, at(1)).await.expect("a bulk");

    let mut holder = PgConnection::establish(database.url_text()).expect("PostgreSQL answers");
    let lock = format!("BEGIN; SELECT FROM contacts WHERE id = '{}' FOR UPDATE", ids[1]);
    holder.batch_execute(&lock).expect("a lock");
    let bulk = tokio::spawn({
        let (storage, rows) = (storage.clone(), rows(3));
        async move { storage.upsert_many(company.into(), rows, 0, at(3)).await }
    });
    until_one_waits(&mut holder).await;
    let deleted = storage.delete(company.into(), ids[2], ExpectedVersion::Any, at(2)).await;
    deleted.expect("an outcome");
    holder.batch_execute("ROLLBACK").expect("the lock is released");
    bulk.await.expect("it ends").expect("a bulk");

    let entries = storage.changes_of(company, ids[2].uuid(), 10).await.expect("entries");
    let kinds: Vec<ChangeType> = entries.iter().map(|it| it.entry.kind).collect();
    let (created, deleted) = (ChangeType::ContactCreated, ChangeType::ContactDeleted);
    assert_eq!(kinds, [created, deleted, ChangeType::ContactRestored]);
}

/// A create waits for a contact after a deletion that waits for it too. Then it restores the contact. On a cluster it has
/// its id by then, since it has locked its company, and the deletion has none.
#[tokio::test(flavor = "multi_thread")]
async fn a_create_that_restores_a_contact_comes_after_the_deletion() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let new = |micros| {
        let mut new = new_contact(&Directory::default(), "one@x.example", &[]);
        new.at = at(micros);
        new
    };
    let first = new(1);
    let id = first.id;
    ContactStore::create(&storage, company.into(), first).await.expect("a contact");

    let establish = |url: &str| PgConnection::establish(url).expect("PostgreSQL answers");
    let mut holder = establish(database.url_text());
    let node = database.cluster().map(|cluster| cluster.node_of(company));
    let mut observer = establish(node.as_deref().unwrap_or(database.url_text()));
    let lock = format!(
        "BEGIN; SELECT FROM contacts WHERE company_id = '{company}' AND id = '{id}' FOR UPDATE"
    );
    holder.batch_execute(&lock).expect("a lock");
    let deletion = tokio::spawn({
        let storage = storage.clone();
        async move { storage.delete(company.into(), id, ExpectedVersion::Any, at(2)).await }
    });
    until_waiting(&mut observer, 1).await;
    let (store, new) = (storage.clone(), new(3));
    let create =
        tokio::spawn(async move { ContactStore::create(&store, company.into(), new).await });
    until_waiting(&mut observer, 2).await;
    holder.batch_execute("ROLLBACK").expect("the lock is released");
    deletion.await.expect("it ends").expect("a deletion");
    let outcome = create.await.expect("it ends").expect("an outcome");
    assert!(matches!(outcome, CreateContactOutcome::Restored(_)), "{outcome:?}");

    let entries = storage.changes_of(company, id.uuid(), 10).await.expect("entries");
    let kinds: Vec<ChangeType> = entries.iter().map(|it| it.entry.kind).collect();
    let (created, deleted) = (ChangeType::ContactCreated, ChangeType::ContactDeleted);
    assert_eq!(kinds, [created, deleted, ChangeType::ContactRestored]);
}
