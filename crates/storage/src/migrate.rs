//! The schema: embedded migrations, applied by one process at a time, each in its own transaction.
//!
//! A migration has no limit for its statements or for its waits for locks. When a process is killed, the running
//! migration is rolled back and those before it stay applied; the next process continues from there.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::backend::Backend;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::Sqlite;
use diesel::{PgConnection, QueryableByName, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use contact_hub_domain::ports::StoreError;

use crate::changes::raise_base;
use crate::connection::Connection;
use crate::connections::opener::{Limits, Opener};
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::heartbeat::{Progress, with_heartbeat};
use crate::statement::statement;
use crate::units::Reading;

const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// The advisory lock on PostgreSQL that migrations take: the letters "chub".
const MIGRATION_LOCK: i64 = 0x6368_7562;

/// The interval between attempts to take the lock.
const LOCK_EVERY: Duration = Duration::from_millis(200);

/// Settings of the migrating connection. On SQLite a wait is split into parts, between which progress is logged. On a
/// cluster a migration changes one shard after the other, since it may change several tables; a single server ignores
/// that setting.
const POSTGRES_UNBOUNDED: &str = "SET statement_timeout = 0; SET lock_timeout = 0; \
     SET citus.multi_shard_modify_mode = 'sequential'";
const SQLITE_UNBOUNDED: &str = "PRAGMA busy_timeout = 1000";

pub(crate) type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// The state of a database's schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// No migration was ever applied.
    Empty,
    /// This many migrations are to be applied.
    Pending(usize),
    /// All migrations are applied.
    Current,
    /// It has this migration, which this program does not know and which is not marked as compatible.
    TooNew(String),
}

/// The schema has a migration that this program does not know.
#[derive(Debug, thiserror::Error)]
#[error(
    "its schema is newer than this program: it has migration {0}, which is not marked as compatible with older programs; \
     run the newer program"
)]
struct SchemaTooNew(String);

/// Applies the pending migrations and returns how many there were. Concurrent processes run one at a time. Progress
/// is logged. A schema that is newer than this program is an error.
pub fn migrate(url: &DatabaseUrl) -> Result<usize, StoreError> {
    let mut connection = open(url)?;
    prepare(&mut connection, url).map_err(StoreError::Failed)?;
    migrate_on(&mut connection).map_err(StoreError::Failed)
}

/// Removes the limits of the connection, and on PostgreSQL takes the lock.
///
/// Migrations of SQLite sort in files beside the database: in memory the index of a million contacts took 250 MB. The
/// directory is a setting of the whole process, in which no other connection sorts in files.
fn prepare(connection: &mut Connection, url: &DatabaseUrl) -> Result<(), AnyError> {
    match url {
        DatabaseUrl::Postgres(_) => {
            connection.batch(POSTGRES_UNBOUNDED)?;
            lock(connection)
        }
        DatabaseUrl::Sqlite(path) => {
            let directory = Path::new(path).parent().and_then(Path::to_str);
            let directory = directory.filter(|it| !it.is_empty()).unwrap_or(".");
            let quoted = directory.replace('\'', "''");
            let sorted =
                format!("PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '{quoted}'");
            Ok(connection.batch(&format!("{SQLITE_UNBOUNDED}; {sorted}"))?)
        }
    }
}

fn migrate_on(connection: &mut Connection) -> Result<usize, AnyError> {
    let applied = match state(connection)? {
        MigrationState::TooNew(version) => return Err(SchemaTooNew(version).into()),
        // Diesel would create its table if it did not exist, which needs more rights than serving.
        MigrationState::Current => 0,
        MigrationState::Empty | MigrationState::Pending(_) => apply_pending(connection)?,
    };
    raise_base(connection)?;
    Ok(applied)
}

fn apply_pending(connection: &mut Connection) -> Result<usize, AnyError> {
    match connection {
        Connection::Postgres(connection) => {
            apply(connection.as_mut(), POSTGRES, |connection, it| {
                PgConnection::run_migration(connection, it)?;
                Ok(true)
            })
        }
        Connection::Sqlite(connection) => apply(connection.as_mut(), SQLITE, run_on_sqlite),
    }
}

/// The state of the schema. It can be read through a pooler.
pub fn migration_state(url: &DatabaseUrl) -> Result<MigrationState, StoreError> {
    let opener = Opener::new(url.clone(), Limits::default(), Arc::default()).pooled(true);
    state(&mut open_with(&opener)?).map_err(StoreError::Failed)
}

pub(crate) fn open(url: &DatabaseUrl) -> Result<Connection, StoreError> {
    open_with(&Opener::new(url.clone(), Limits::default(), Arc::default()))
}

fn open_with(opener: &Opener) -> Result<Connection, StoreError> {
    opener.of_writer().open().map_err(|error| StoreError::Unavailable(Box::new(error)))
}

#[derive(QueryableByName)]
struct Locked {
    #[diesel(sql_type = Bool)]
    locked: bool,
}

/// Waits until no other process migrates. The lock ends with the connection.
pub(crate) fn lock(connection: &mut Connection) -> Result<(), AnyError> {
    let mut progress = Progress::default();
    loop {
        let ask = statement("SELECT pg_try_advisory_lock(?) AS locked").bind(MIGRATION_LOCK);
        let answer: Option<Locked> = connection.first(ask)?;
        if answer.is_some_and(|answer| answer.locked) {
            return Ok(());
        }
        progress.log_waiting("another process migrates the database");
        std::thread::park_timeout(LOCK_EVERY);
    }
}

/// Applies each pending migration with `run`, which returns whether it was still pending.
fn apply<DB: Backend, C: MigrationHarness<DB>>(
    connection: &mut C,
    migrations: EmbeddedMigrations,
    run: impl Fn(&mut C, &dyn Migration<DB>) -> Result<bool, AnyError>,
) -> Result<usize, AnyError> {
    let pending = connection.pending_migrations(migrations)?;
    let (of, mut applied) = (pending.len(), 0);
    for (migration, number) in pending.iter().zip(1_usize..) {
        let name = migration.name().to_string();
        tracing::info!(migration = name, number, of, "applying a migration");
        let started = Instant::now();
        applied += usize::from(with_heartbeat(&name, || run(connection, migration.as_ref()))?);
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(migration = name, number, of, duration_ms, "a migration is applied");
    }
    Ok(applied)
}

/// Takes the write lock, and then checks whether another process has applied the migration in the meantime.
fn run_on_sqlite(
    connection: &mut SqliteConnection,
    migration: &dyn Migration<Sqlite>,
) -> Result<bool, AnyError> {
    let mut progress = Progress::default();
    while let Err(error) =
        AnsiTransactionManager::begin_transaction_sql(connection, "BEGIN IMMEDIATE")
    {
        if !Failure::from(error).is_temporary() {
            return Err("the database cannot be locked".into());
        }
        progress.log_waiting("another process writes to the database");
    }
    let outcome = connection.applied_migrations().and_then(|applied| {
        let is_pending = !applied.contains(&migration.name().version());
        if is_pending {
            connection.run_migration(migration)?;
        }
        Ok(is_pending)
    });
    match outcome {
        Ok(_) => AnsiTransactionManager::commit_transaction(connection)?,
        // If the rollback fails too, the connection is dropped, which also rolls back.
        Err(_) => drop(AnsiTransactionManager::rollback_transaction(connection)),
    }
    outcome
}

#[derive(QueryableByName)]
struct Begun {
    #[diesel(sql_type = Bool)]
    begun: bool,
}

/// Whether the database has the table of applied migrations. Diesel would create it to read it, and two processes that
/// create it at the same time fail. So without the lock it is read only once it exists.
fn has_begun(connection: &mut Connection) -> Result<bool, AnyError> {
    let find = match connection {
        Connection::Postgres(_) => {
            "SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS begun"
        }
        Connection::Sqlite(_) => {
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '__diesel_schema_migrations') AS begun"
        }
    };
    let found: Option<Begun> = connection.first(statement(find))?;
    Ok(found.is_some_and(|found| found.begun))
}

pub(crate) fn state(connection: &mut Connection) -> Result<MigrationState, AnyError> {
    if !has_begun(connection)? {
        return Ok(MigrationState::Empty);
    }
    let applied = "SELECT CAST(version AS text) AS version FROM __diesel_schema_migrations";
    let applied = versions_in(connection, applied)?;
    let seen = Seen::of(&known(matches!(connection, Connection::Postgres(_)))?, &applied);
    let compatible = if seen.unknown.is_empty() { Vec::new() } else { compatible(connection) };
    Ok(seen.judged(&compatible))
}

/// The state of a schema to which these migrations are applied, with some of which older programs are compatible.
pub(crate) fn state_of(
    url: &DatabaseUrl,
    applied: &[String],
    compatible: &[String],
) -> Result<MigrationState, AnyError> {
    let known = known(matches!(url, DatabaseUrl::Postgres(_)))?;
    Ok(Seen::of(&known, applied).judged(compatible))
}

/// The migrations of a database, compared with those of this program.
struct Seen {
    known: usize,
    pending: usize,
    unknown: Vec<String>,
}

impl Seen {
    fn of(known: &[String], applied: &[String]) -> Self {
        let pending = known.iter().filter(|version| !applied.contains(version)).count();
        let unknown = applied.iter().filter(|version| !known.contains(version)).cloned().collect();
        Self { known: known.len(), pending, unknown }
    }

    fn judged(self, compatible: &[String]) -> MigrationState {
        let too_new = self.unknown.into_iter().find(|version| !compatible.contains(version));
        match (too_new, self.pending) {
            (Some(version), _) => MigrationState::TooNew(version),
            (None, 0) => MigrationState::Current,
            (None, all) if all == self.known => MigrationState::Empty,
            (None, some) => MigrationState::Pending(some),
        }
    }
}

/// The versions of this program's migrations for a database.
fn known(is_postgres: bool) -> Result<Vec<String>, AnyError> {
    if is_postgres { versions_of::<Pg>(&POSTGRES) } else { versions_of::<Sqlite>(&SQLITE) }
}

fn versions_of<DB: Backend>(migrations: &EmbeddedMigrations) -> Result<Vec<String>, AnyError> {
    let known = MigrationSource::<DB>::migrations(migrations)?;
    Ok(known.iter().map(|it| it.name().version().to_string()).collect())
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

/// The migrations that older programs are compatible with. A schema without that table has none.
fn compatible(connection: &mut Connection) -> Vec<String> {
    versions_in(connection, "SELECT version FROM compatible_migrations").unwrap_or_default()
}

fn versions_in(connection: &mut Connection, select: &'static str) -> Result<Vec<String>, AnyError> {
    let rows: Vec<Version> = connection.rows(statement(select))?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

impl crate::Storage {
    /// The state of the schema.
    pub async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        self.read(Reading::Control, |connection| {
            let corrupt = |error: AnyError| Failure::Corrupt(format!("migrations: {error}"));
            state(connection).map_err(corrupt)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use diesel::QueryableByName;
    use diesel::sql_types::{BigInt, Text};
    use tempfile::TempDir;

    use super::{DatabaseUrl, open, prepare};
    use crate::statement::statement;

    /// `PRAGMA temp_store` of a connection that keeps what it sorts in files.
    const FILES: i64 = 1;

    #[derive(QueryableByName)]
    struct Kind {
        #[diesel(sql_type = BigInt)]
        temp_store: i64,
    }

    #[derive(QueryableByName)]
    struct Place {
        #[diesel(sql_type = Text)]
        temp_store_directory: String,
    }

    #[test]
    fn migrations_of_sqlite_sort_in_files_beside_the_database() {
        let directory = TempDir::with_prefix("it's ").expect("a directory");
        let url = DatabaseUrl::Sqlite(directory.path().join("hub.db").display().to_string());
        let mut connection = open(&url).expect("a connection");
        prepare(&mut connection, &url).expect("the settings");
        let kind: Option<Kind> =
            connection.first(statement("PRAGMA temp_store")).expect("the setting");
        assert_eq!(kind.expect("a row").temp_store, FILES);
        let place: Option<Place> =
            connection.first(statement("PRAGMA temp_store_directory")).expect("the setting");
        let place = place.expect("a row").temp_store_directory;
        assert_eq!(place, directory.path().display().to_string());
    }
}
