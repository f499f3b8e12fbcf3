//! The feed while its oldest entries are deleted, and positions after it.

use contact_hub_domain::changes::{After, ChangeStore, ChangeType, ChangesOutcome, ChangesQuery};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{Storage, migrate};
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _};
use uuid::Uuid;

use crate::sample::stored_company;

#[derive(QueryableByName)]
struct Next {
    #[diesel(sql_type = BigInt)]
    next: i64,
}

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

/// The positions of a company from before its database was restored on a server whose transactions begin at a low id.
#[tokio::test(flavor = "multi_thread")]
async fn new_positions_follow_those_of_deleted_entries_and_of_the_audit() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let company = stored_company(&database.storage()).await.id;
    let mut connection = PgConnection::establish(database.url_text()).expect("it answers");
    let purged = format!("INSERT INTO change_purges VALUES ('{company}', 5000000000, 1)");
    let audited = format!(
        "INSERT INTO audit (company_id, position, ordinal, at, action, object_id, actor_id, key_id) \
         VALUES ('{company}', 6000000000, 1, now(), 'signed_in', '{company}', '{company}', '{company}')"
    );
    for (insert, last) in [(purged, 5_000_000_000), (audited, 6_000_000_000)] {
        connection.batch_execute(&insert).expect("a row of before");
        migrate(&database.url()).expect("it is migrated");
        let next = "SELECT pg_current_xact_id()::text::bigint + base AS next FROM change_base";
        let next: Next = diesel::sql_query(next).get_result(&mut connection).expect("a position");
        assert!(next.next > last, "{} follows {last}", next.next);
    }
}
