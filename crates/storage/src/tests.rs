//! How SQLite is compiled, and units of work that panic, whose clients disconnect, and that take too long.
//!
//! The units run always on SQLite, and on PostgreSQL if one is available to the workspace's tests.

use std::path::Path;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::{Connection as _, QueryableByName, SqliteConnection};
use diesel::sql_types::{BigInt, Text};
use tempfile::TempDir;
use tokio::runtime::Handle;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use uuid::Uuid;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::units::{Reading, Writing};
use crate::{ReplicaOptions, Storage, StorageOptions};

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// A storage on each database with one connection for requests, and whether it is PostgreSQL.
async fn on_each(statement: Duration, test: impl AsyncFn(Storage, bool)) {
    let directory = TempDir::new().expect("a directory");
    let sqlite = format!("sqlite://{}", directory.path().join("hub.db").display());
    let mut urls = vec![sqlite];
    #[expect(clippy::disallowed_methods, reason = "it names the server of the tests")]
    let server = std::env::var("CONTACT_HUB_TEST_DATABASE");
    urls.extend(server.ok().filter(|server| server != "sqlite"));
    for url in urls {
        let options = StorageOptions {
            url: url.parse().expect("an address"),
            pooled: false,
            connections: 1,
            wait: PATIENCE,
            statement,
            replicas: ReplicaOptions::default(),
        };
        let is_postgres = url.starts_with("postgres");
        test(Storage::new(&options, Handle::current()), is_postgres).await;
    }
}

/// A storage on a SQLite file with this many readers.
pub(crate) fn on_file(path: &Path, connections: u32) -> Storage {
    let options = StorageOptions {
        url: format!("sqlite://{}", path.display()).parse().expect("an address"),
        pooled: false,
        connections,
        wait: PATIENCE,
        statement: PATIENCE,
        replicas: ReplicaOptions::default(),
    };
    Storage::new(&options, Handle::current())
}

/// Runs statements in one transaction.
pub(crate) async fn execute(storage: &Storage, text: &'static str) -> Result<(), StoreError> {
    storage.write_unrecorded(Writing::Few, move |connection| Ok(connection.batch(text)?)).await
}

fn count(connection: &mut Connection, text: &'static str) -> Result<i64, Failure> {
    let row: Option<Count> = connection.first(statement(text))?;
    Ok(row.map_or(0, |row| row.count))
}

/// A statement that never ends by itself.
fn endless(connection: &mut Connection) -> Result<i64, Failure> {
    count(
        connection,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i % 7 FROM n) \
         SELECT count(*) AS count FROM n",
    )
}

#[derive(QueryableByName)]
struct Compiled {
    #[diesel(sql_type = Text)]
    compile_options: String,
}

/// `.cargo/config.toml` sets them: connections share no lock, and plans do not depend on bound values.
#[tokio::test(flavor = "multi_thread")]
async fn sqlite_is_compiled_with_the_flags_of_the_workspace() {
    let directory = TempDir::new().expect("a directory");
    let storage = on_file(&directory.path().join("hub.db"), 1);
    let options = storage
        .read(Reading::Few, |connection| {
            Ok(connection.rows::<Compiled>(statement("PRAGMA compile_options"))?)
        })
        .await
        .expect("read");
    let has = |option: &str| options.iter().any(|it| it.compile_options == option);
    assert!(has("THREADSAFE=2") && has("DEFAULT_MEMSTATUS=0") && has("OMIT_SHARED_CACHE"));
    assert!(!has("ENABLE_MEMORY_MANAGEMENT"));
    assert!(has("ENABLE_QPSG"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_file_has_small_pages_and_an_existing_one_keeps_its_own() {
    let directory = TempDir::new().expect("a directory");
    let existing = directory.path().join("existing.db");
    let mut connection =
        SqliteConnection::establish(existing.to_str().expect("text")).expect("it opens");
    connection.batch_execute("PRAGMA page_size = 4096; CREATE TABLE kept (n)").expect("a table");
    for (path, size) in [(directory.path().join("new.db"), 2048), (existing, 4096)] {
        let storage = on_file(&path, 1);
        execute(&storage, "CREATE TABLE added (n INTEGER)").await.expect("a table");
        let pages = "SELECT page_size AS count FROM pragma_page_size";
        let found = storage.read(Reading::Few, move |connection| count(connection, pages)).await;
        assert_eq!(found.expect("read"), size);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_a_write_leaves_no_transaction_open() {
    on_each(PATIENCE, async |storage, _| {
        let table = format!("left_{}", std::process::id());
        let (create, drop) =
            (format!("CREATE TABLE {table} (n INTEGER)"), format!("DROP TABLE {table}"));
        storage
            .write_unrecorded(Writing::Few, move |connection| Ok(connection.batch(&create)?))
            .await
            .expect("a table");
        let insert = format!("INSERT INTO {table} VALUES (1)");
        let panicked = storage
            .write_unrecorded(Writing::Few, move |connection| -> Result<(), Failure> {
                connection.batch(&insert)?;
                panic!("a mistake in the program")
            })
            .await;
        assert!(matches!(panicked, Err(StoreError::Failed(_))), "{panicked:?}");
        let text: &'static str = format!("SELECT count(*) AS count FROM {table}").leak();
        let rows =
            storage.write_unrecorded(Writing::Few, move |connection| count(connection, text)).await;
        assert_eq!(rows.expect("the next unit runs"), 0, "nothing is left of it");
        storage
            .write_unrecorded(Writing::Few, move |connection| Ok(connection.batch(&drop)?))
            .await
            .expect("dropped");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_panics_in_a_transaction_leaves_none_open() {
    on_each(PATIENCE, async |storage, _| {
        let panicked = storage
            .read(Reading::Snapshot, |_connection| -> Result<(), Failure> { panic!("a mistake") })
            .await;
        assert!(matches!(panicked, Err(StoreError::Failed(_))), "{panicked:?}");
        let next = storage
            .read(Reading::Snapshot, |connection| {
                count(connection, "SELECT CAST(7 AS bigint) AS count")
            })
            .await;
        assert_eq!(next.map_err(|error| format!("{error:?}")), Ok(7));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_read_is_cancelled_and_its_connection_is_freed() {
    on_each(PATIENCE, async |storage, _| {
        let left =
            tokio::time::timeout(Duration::from_millis(300), storage.read(Reading::Few, endless))
                .await;
        assert!(left.is_err(), "it does not end by itself");
        let began = Instant::now();
        let next = storage
            .read(Reading::Few, |connection| count(connection, "SELECT CAST(7 AS bigint) AS count"))
            .await;
        assert_eq!(next.map_err(|error| format!("{error:?}")), Ok(7));
        assert!(began.elapsed() < PATIENCE / 2, "{:?}", began.elapsed());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn short_reads_of_a_company_leave_a_connection_to_others() {
    let directory = TempDir::new().expect("a directory");
    let storage = on_file(&directory.path().join("hub.db"), 4);
    let company = |number| CompanyId::new(Uuid::from_u128(number));
    let many: Vec<_> = (0..8)
        .map(|_| {
            let storage = storage.clone();
            tokio::spawn(async move { storage.read(Reading::For(company(1)), endless).await })
        })
        .collect();
    let other = || {
        storage.read(Reading::SnapshotFor(company(2)), |connection| {
            count(connection, "SELECT 7 AS count")
        })
    };
    for _while_they_start in 0..100 {
        let read = tokio::time::timeout(PATIENCE / 2, other()).await;
        assert_eq!(read.expect("it gets a connection").map_err(|error| error.to_string()), Ok(7));
    }
    for read in many {
        read.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_is_cancelled() {
    on_each(Duration::from_millis(400), async |storage, _| {
        for _again in 0..2 {
            let slow = tokio::time::timeout(PATIENCE, storage.read(Reading::Few, endless)).await;
            assert!(matches!(slow, Ok(Err(StoreError::Unavailable(_)))), "{slow:?}");
            let slow =
                tokio::time::timeout(PATIENCE, storage.write_unrecorded(Writing::Few, endless))
                    .await;
            assert!(matches!(slow, Ok(Err(StoreError::Unavailable(_)))), "{slow:?}");
        }
        let next = storage
            .read(Reading::Few, |connection| count(connection, "SELECT CAST(7 AS bigint) AS count"))
            .await;
        assert_eq!(next.map_err(|error| format!("{error:?}")), Ok(7));
    })
    .await;
}

/// PostgreSQL reports a deadlock in the server's language, and Diesel has no kind for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_deadlock_is_temporary_and_an_invalid_statement_is_not() {
    on_each(PATIENCE, async |storage, is_postgres| {
        if !is_postgres {
            return;
        }
        let both = Arc::new(Barrier::new(2));
        let lock = |first: i64, second: i64| {
            let both = Arc::clone(&both);
            storage.write_unrecorded(Writing::Deliveries, move |connection| {
                let take = |key| statement("SELECT pg_advisory_xact_lock(?)").bind(key);
                connection.execute(take(first))?;
                both.wait();
                connection.execute(take(second))?;
                Ok(())
            })
        };
        let key = i64::from(std::process::id()) << 8;
        let (one, other) = tokio::join!(lock(key, key + 1), lock(key + 1, key));
        let outcomes = [one, other];
        let victims = outcomes.iter().filter(|it| matches!(it, Err(StoreError::Unavailable(_))));
        assert_eq!(victims.count(), 1, "{outcomes:?}");
        assert!(outcomes.iter().any(Result::is_ok), "{outcomes:?}");
        let mistake = storage
            .write_unrecorded(Writing::Few, |connection| Ok(connection.batch("SELECT 1 / 0")?))
            .await;
        assert!(matches!(mistake, Err(StoreError::Failed(_))), "{mistake:?}");
    })
    .await;
}

/// A read-only session is replaced, so that after a fail-over the next one reaches a server that accepts writes.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_became_read_only_is_replaced_at_once() {
    on_each(PATIENCE, async |storage, is_postgres| {
        if !is_postgres {
            return;
        }
        let settle = |text: &'static str| {
            let storage = storage.clone();
            async move {
                storage.read(Reading::Few, move |connection| Ok(connection.batch(text)?)).await
            }
        };
        settle("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY").await.expect("read-only");
        let table = format!("refused_{}", std::process::id());
        let text = format!("CREATE TABLE {table} (n INTEGER); DROP TABLE {table}");
        let written = storage
            .write_unrecorded(Writing::Few, move |connection| Ok(connection.batch(&text)?))
            .await;
        assert!(written.is_ok(), "{written:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_are_refused_while_the_database_file_is_moved_away() {
    let directory = TempDir::new().expect("a directory");
    let (path, elsewhere) = (directory.path().join("hub.db"), directory.path().join("moved.db"));
    let storage = on_file(&path, 1);
    let write = async |text| execute(&storage, text).await;
    write("CREATE TABLE kept (n INTEGER)").await.expect("a table");
    std::fs::rename(&path, &elsewhere).expect("it is moved");
    for _again in 0..2 {
        let refused = write("INSERT INTO kept VALUES (1)").await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        assert_eq!(storage.health().await.ok(), Some(crate::DatabaseHealth::Moved));
    }
    assert!(!path.exists(), "no new file was made");
    std::fs::rename(&elsewhere, &path).expect("it is back");
    write("INSERT INTO kept VALUES (1)").await.expect("it is written");
    assert_eq!(storage.health().await.ok(), Some(crate::DatabaseHealth::Usable));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_write_ahead_log_is_truncated_after_a_peak() {
    let directory = TempDir::new().expect("a directory");
    let storage = on_file(&directory.path().join("hub.db"), 2);
    let write = async |text| execute(&storage, text).await;
    write("CREATE TABLE many (n INTEGER, t TEXT)").await.expect("a table");
    write(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
         INSERT INTO many SELECT i, hex(randomblob(500)) FROM n",
    )
    .await
    .expect("a peak");
    let log = || std::fs::metadata(directory.path().join("hub.db-wal")).expect("a log").len();
    let peak = log();
    for _write in 0..3 {
        write("INSERT INTO many VALUES (0, '')").await.expect("written");
    }
    assert!(peak > 80_000_000, "{peak}");
    assert!(log() <= 64 * 1024 * 1024, "{} after {peak}", log());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_large_transaction_is_written_once() {
    let directory = TempDir::new().expect("a directory");
    let storage = on_file(&directory.path().join("hub.db"), 1);
    execute(&storage, "CREATE TABLE large (b BLOB)").await.expect("a table");
    let log = directory.path().join("hub.db-wal");
    let size = move || std::fs::metadata(&log).expect("a log").len();
    let before = size();
    let insert = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24) \
         INSERT INTO large SELECT zeroblob(1048576) FROM n";
    let during = storage
        .write_unrecorded(Writing::Few, move |connection| {
            connection.batch(insert)?;
            Ok(size())
        })
        .await;
    assert_eq!(during.expect("written"), before, "pages were written before the commit");
}
