//! Reading the feed while its oldest entries are deleted.

use contact_hub_domain::changes::{After, ChangeStore, ChangeType, ChangesOutcome, ChangesQuery};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use uuid::Uuid;

/// How many entries a scan for those of some types reads.
const SCAN: i32 = 20_000;

/// How many entries there are before the first that is searched for.
const OTHERS: i32 = SCAN + 20;

/// How many entries are deleted meanwhile.
const DELETED: i32 = 60;

fn filled(connection: &mut PgConnection) -> CompanyId {
    let company = CompanyId::new(Uuid::now_v7());
    let insert = format!(
        "INSERT INTO changes SELECT '{company}', 1, n, CASE WHEN n > {OTHERS} THEN 'field.created' \
         ELSE 'contact.updated' END, now(), '{company}', '{nobody}', '[]', NULL \
         FROM generate_series(1, {all}) AS n",
        nobody = Uuid::nil(),
        all = OTHERS + 2 * DELETED,
    );
    connection.batch_execute(&insert).expect("entries");
    company
}

/// Deletes the oldest entries one by one, as the retention does.
fn delete(connection: &mut PgConnection, company: CompanyId) {
    for last in 1..=DELETED {
        let delete = format!(
            "BEGIN; DELETE FROM changes WHERE company_id = '{company}' AND ordinal <= {last}; \
             INSERT INTO change_purges VALUES ('{company}', 1, {last}) \
             ON CONFLICT (company_id) DO UPDATE SET ordinal = excluded.ordinal; COMMIT"
        );
        connection.batch_execute(&delete).expect("deleted");
    }
}

/// The first entry of a type that a client finds from the beginning of the feed.
async fn first(storage: &Storage, company: CompanyId) -> i32 {
    let mut query =
        ChangesQuery { types: vec![ChangeType::FieldCreated], ..ChangesQuery::default() };
    loop {
        let outcome = storage.list_changes(company, query.clone()).await.expect("an outcome");
        query.after = match outcome {
            ChangesOutcome::Expired => After::Nothing,
            ChangesOutcome::Found(page) => match page.entries.first() {
                Some(entry) => return entry.position.ordinal,
                None => After::Entry(page.next),
            },
        };
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_from_the_beginning_skips_no_entry_while_the_oldest_are_deleted() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let mut connection = PgConnection::establish(database.url_text()).expect("it answers");
    for _round in 0..10 {
        let company = filled(&mut connection);
        let url = database.url_text().to_owned();
        let deletion = tokio::task::spawn_blocking(move || {
            delete(&mut PgConnection::establish(&url).expect("it answers"), company);
        });
        while !deletion.is_finished() {
            assert_eq!(first(&storage, company).await, OTHERS + 1);
        }
        deletion.await.expect("it ends");
    }
}
