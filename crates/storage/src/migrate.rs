//! The schema: embedded migrations, applied by one process at a time.

use std::sync::Arc;

use diesel::backend::Backend;
use diesel::{Connection as _, RunQueryDsl};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use contact_hub_domain::ports::StoreError;

use crate::connection::{Connection, DatabaseUrl};
use crate::failure::Failure;
use crate::statement::statement;

const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// The advisory lock of PostgreSQL under which a process migrates: the letters "chub".
const MIGRATION_LOCK: i64 = 0x6368_7562;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// How far a database's schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// No migration was ever applied.
    Empty,
    /// This many are to be applied.
    Pending(usize),
    /// Nothing to do.
    Current,
}

/// Applies what is pending and tells how many migrations that were. Others that migrate meanwhile wait.
pub fn migrate(url: &DatabaseUrl) -> Result<usize, StoreError> {
    let applied = match open(url)? {
        Connection::Postgres(mut connection) => connection.transaction(|connection| {
            statement("SELECT pg_advisory_xact_lock(?)")
                .bind(MIGRATION_LOCK)
                .execute(connection)?;
            apply(connection, POSTGRES)
        }),
        Connection::Sqlite(mut connection) => {
            connection.immediate_transaction(|connection| apply(connection, SQLITE))
        }
    };
    applied.map_err(|error: MigrationError| StoreError::Failed(error.0))
}

/// How far the schema is.
pub fn migration_state(url: &DatabaseUrl) -> Result<MigrationState, StoreError> {
    let state = match open(url)? {
        Connection::Postgres(mut connection) => state(connection.as_mut(), POSTGRES),
        Connection::Sqlite(mut connection) => state(connection.as_mut(), SQLITE),
    };
    state.map_err(StoreError::Failed)
}

pub(crate) fn open(url: &DatabaseUrl) -> Result<Connection, StoreError> {
    Connection::open(url, &Arc::default()).map_err(|error| StoreError::Unavailable(Box::new(error)))
}

/// Lets the migrations' own error pass through a transaction.
struct MigrationError(AnyError);

impl From<diesel::result::Error> for MigrationError {
    fn from(error: diesel::result::Error) -> Self {
        Self(Box::new(error))
    }
}

fn apply<DB: Backend>(
    connection: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
) -> Result<usize, MigrationError> {
    let applied = connection.run_pending_migrations(migrations).map_err(MigrationError)?;
    Ok(applied.len())
}

fn state<DB: Backend>(
    connection: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
) -> Result<MigrationState, AnyError> {
    let known = diesel::migration::MigrationSource::<DB>::migrations(&migrations)?.len();
    let pending = connection.pending_migrations(migrations)?.len();
    Ok(match pending {
        0 => MigrationState::Current,
        all if all == known => MigrationState::Empty,
        some => MigrationState::Pending(some),
    })
}

impl crate::Storage {
    /// Whether every migration that this program knows is applied.
    pub async fn is_migrated(&self) -> Result<bool, StoreError> {
        self.read(|connection| {
            let state = match connection {
                Connection::Postgres(connection) => state(connection.as_mut(), POSTGRES),
                Connection::Sqlite(connection) => state(connection.as_mut(), SQLITE),
            };
            let corrupt = |error: AnyError| Failure::Corrupt(format!("migrations: {error}"));
            Ok(state.map_err(corrupt)? == MigrationState::Current)
        })
        .await
    }
}
