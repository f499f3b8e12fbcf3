//! The schema: each migration can be reverted, and both databases end up with the same tables and columns.

use std::collections::BTreeMap;
use std::path::PathBuf;

use contact_hub_domain::contacts::{ContactStore, ListQuery};
use contact_hub_domain::fields::Directory;
use contact_hub_storage::{Inspection, MigrationState, distribute, migrate, migration_state};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{Nullable, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

#[derive(QueryableByName, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Text>)]
    definition: Option<String>,
}

const POSTGRES_PARTS: &str = "
    SELECT 'column' AS kind, table_name || '.' || column_name AS name,
        concat_ws(' ', data_type, is_nullable, column_default, collation_name, generation_expression) AS definition
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'extension', extname, extversion FROM pg_extension
    UNION ALL SELECT 'options', relname, reloptions::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1, 2, 3";

const SQLITE_PARTS: &str =
    "SELECT type AS kind, name, sql AS definition FROM sqlite_master ORDER BY 1, 2, 3";

/// Tables of the migration tool, tables inside a full-text index, and two tables for concurrent writers and concurrent
/// instances, which SQLite does not have.
const NOT_OURS: [&str; 4] =
    ["__diesel_schema_migrations", "contacts_search", "delivery_count_changes", "rate_windows"];

/// Columns of only one database: one in indexes that SQLite would otherwise update on each deletion, how the indexed values name
/// their field, and whether their ids are in the order of creation.
const NOT_COMMON: [(&str, &str); 6] = [
    ("contacts", "is_listed"),
    ("fields", "index_number"),
    ("indexed_values", "field_number"),
    ("indexed_values", "is_in_order"),
    ("indexed_values", "company_id"),
    ("indexed_values", "field_id"),
];

fn sqlite(url: &str) -> SqliteConnection {
    SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("SQLite opens")
}

fn execute(database: &TestDatabase, text: &str) {
    let url = database.url_text();
    let done = if database.is_postgres() {
        PgConnection::establish(url).expect("PostgreSQL").batch_execute(text)
    } else {
        sqlite(url).batch_execute(text)
    };
    done.expect(text);
}

fn parts(database: &TestDatabase) -> Vec<Part> {
    let url = database.url_text();
    let parts = if database.is_postgres() {
        diesel::sql_query(POSTGRES_PARTS)
            .load(&mut PgConnection::establish(url).expect("PostgreSQL"))
    } else {
        diesel::sql_query(SQLITE_PARTS).load(&mut sqlite(url))
    };
    parts.expect("the schema")
}

/// Both files of every migration, oldest first.
fn migrations(database: &TestDatabase) -> Vec<[String; 2]> {
    let kind = if database.is_postgres() { "postgres" } else { "sqlite" };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(kind);
    let entries = folder.read_dir().expect("the migrations");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder").path()).collect();
    folders.sort();
    let text = |folder: &PathBuf, file| std::fs::read_to_string(folder.join(file)).expect("a file");
    folders.iter().map(|folder| [text(folder, "up.sql"), text(folder, "down.sql")]).collect()
}

fn columns_of_sqlite(url: &str) -> BTreeMap<String, Vec<String>> {
    let text = "SELECT m.name AS kind, c.name AS name, NULL AS definition
        FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' ORDER BY 1, 2";
    by_table(diesel::sql_query(text).load(&mut sqlite(url)).expect("the columns"))
}

fn columns_of_postgres(url: &str) -> BTreeMap<String, Vec<String>> {
    let text =
        "SELECT table_name::text AS kind, column_name::text AS name, NULL::text AS definition
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2";
    let mut connection = PgConnection::establish(url).expect("PostgreSQL");
    by_table(diesel::sql_query(text).load(&mut connection).expect("the columns"))
}

fn by_table(parts: Vec<Part>) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in parts {
        let is_common = !NOT_COMMON.contains(&(part.kind.as_str(), part.name.as_str()));
        if is_common && !NOT_OURS.iter().any(|name| part.kind.starts_with(name)) {
            tables.entry(part.kind).or_default().push(part.name);
        }
    }
    for columns in tables.values_mut() {
        columns.sort();
    }
    tables
}

#[test]
fn each_migration_can_be_reverted() {
    let database = TestDatabase::empty();
    for [up, down] in migrations(&database) {
        let before = parts(&database);
        execute(&database, &up);
        let after = parts(&database);
        execute(&database, &down);
        assert_eq!(parts(&database), before);
        execute(&database, &up);
        assert_eq!(parts(&database), after);
    }
}

#[test]
fn up_down_and_up_again_leave_the_same_schema() {
    let database = TestDatabase::empty();
    let nothing = parts(&database);
    assert_eq!(migration_state(&database.url()).unwrap(), MigrationState::Empty);
    let applied = migrate(&database.url()).unwrap();
    assert_eq!(applied, migrations(&database).len());
    assert_eq!(migration_state(&database.url()).unwrap(), MigrationState::Current);
    let first = parts(&database);
    for [_, down] in migrations(&database).iter().rev() {
        execute(&database, down);
    }
    execute(&database, "DROP TABLE __diesel_schema_migrations");
    assert_eq!(parts(&database), nothing);
    assert_eq!(migrate(&database.url()).unwrap(), applied);
    assert_eq!(parts(&database), first);
    assert_eq!(migrate(&database.url()).unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_of_a_filled_database_can_be_reverted_and_applied_again() {
    let database = TestDatabase::empty();
    migrate(&database.url()).unwrap();
    let storage = database.storage();
    let (company, ..) = crate::sample::stored_key(&storage).await;
    crate::sample::stored_field(&storage, &company, "One").await;
    for n in 0..3 {
        let directory = contact_hub_domain::fields::FieldStore::list(&storage, company.id).await;
        let email = format!("p{n}@example.com");
        let new = crate::sample::new_contact(&directory.unwrap(), &email, &[("one", "1")]);
        ContactStore::create(&storage, company.id.into(), new).await.unwrap();
    }
    storage.deferred_writes().run().await.unwrap();
    drop(storage);
    let filled = parts(&database);
    for [_, down] in migrations(&database).iter().rev() {
        execute(&database, down);
    }
    execute(&database, "DELETE FROM __diesel_schema_migrations");
    migrate(&database.url()).unwrap();
    assert_eq!(parts(&database), filled);
}

/// Some of their texts share a prefix, and one of them is deleted.
#[tokio::test(flavor = "multi_thread")]
async fn existing_contacts_are_counted_by_their_texts() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = crate::sample::stored_company(&storage).await.id;
    let mut ids = Vec::new();
    for email in ["ann@example.com", "lee@example.com", "bob@x.example.com", "x@x.example.com"] {
        let new = crate::sample::new_contact(&Directory::default(), email, &[]);
        ids.push(new.id);
        ContactStore::create(&storage, company.into(), new).await.unwrap();
    }
    storage.delete_many(company.into(), vec![ids[3]], crate::sample::at(9)).await.unwrap();
    let all = migrations(&database);
    let of_texts: Vec<_> = all.iter().filter(|[up, _]| up.contains("INTO text_counts")).collect();
    for [_, down] in of_texts.iter().rev() {
        execute(&database, down);
    }
    for [up, _] in of_texts {
        execute(&database, up);
    }
    if database.cluster().is_some() {
        assert_eq!(distribute(&database.url()).unwrap(), ["text_counts"]);
    }
    let recount = Inspection::open(&database.url()).unwrap().recount(&mut |_so_far| ()).unwrap();
    assert_eq!((recount.contacts, recount.different), (4, 0), "{recount:?}");
}

/// SQLite rebuilds its index of substrings.
#[tokio::test(flavor = "multi_thread")]
async fn existing_contacts_are_found() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = crate::sample::stored_company(&storage).await.id;
    for email in ["ann@example.com", "lee@example.com"] {
        let new = crate::sample::new_contact(&Directory::default(), email, &[]);
        ContactStore::create(&storage, company.into(), new).await.unwrap();
    }
    let all = migrations(&database);
    let refills = all.iter().rfind(|[up, _]| up.contains("INTO contacts_search"));
    if let Some([up, down]) = refills {
        execute(&database, down);
        execute(&database, up);
    }
    let query = ListQuery::from_query("search=ann@ex").unwrap();
    let found = crate::sample::page_of(&storage, company, query).await;
    assert_eq!(
        found.items.iter().map(|it| it.email.as_str()).collect::<Vec<_>>(),
        ["ann@example.com"]
    );
}

#[test]
fn several_processes_migrate_one_database_once() {
    let database = TestDatabase::empty();
    let url = database.url();
    let applied: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| migrate(&url).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(applied.iter().sum::<usize>(), migrations(&database).len(), "{applied:?}");
}

#[test]
fn several_processes_check_an_empty_database_at_once() {
    for _round in 0..5 {
        let database = TestDatabase::empty();
        let url = database.url();
        std::thread::scope(|scope| {
            let looks: Vec<_> = (0..8).map(|_| scope.spawn(|| migration_state(&url))).collect();
            for look in looks {
                let state = look.join().expect("no panic").expect("a state");
                assert_eq!(state, MigrationState::Empty);
            }
        });
    }
}

#[test]
fn both_databases_have_the_same_tables_and_columns() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    migrate(&database.url()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", directory.path().join("hub.db").display());
    migrate(&url.parse().unwrap()).unwrap();
    let (mut postgres, sqlite) =
        (columns_of_postgres(database.url_text()), columns_of_sqlite(&url));
    assert!(postgres.contains_key("contacts"));
    // SQLite needs no base value for the positions of the feed.
    assert!(postgres.remove("change_base").is_some());
    assert_eq!(postgres, sqlite);
}
