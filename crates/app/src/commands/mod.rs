//! The operator's commands. A command that ends prints one JSON object; lists are tables, and the reports of
//! backups and checks lines, on a terminal; `demo` and `completions` print text. `contacts` and `fields` call a running
//! service; the others use the database.

pub mod api_key;
pub mod backup;
pub mod check;
pub mod company;
mod company_delete;
mod company_export;
pub mod completions;
pub mod contacts;
pub mod demo;
mod demo_report;
pub mod fields;
mod listing;
pub mod migrate;
pub mod openapi;
mod progress;
pub mod rekey;
mod remote;
pub mod serve;
pub mod user;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use contact_hub_domain::access::AccessError;
use contact_hub_domain::context::AccessPorts;
use contact_hub_domain::ports::StoreError;
use contact_hub_storage::{DatabaseUrl, MigrationState, Storage, migrate, migration_state};
use tokio::runtime::Handle;

pub(crate) use company_delete::deletion_command;

use crate::settings::DatabaseSettings;
use crate::wire::command_ports;

/// How long a statement of a command waits for the lock of SQLite, at least. A service with much to write takes it again at
/// once, and the command only tries now and then.
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// The ports of companies, users and keys on a migrated database.
fn ports_on(database: &DatabaseSettings) -> Result<AccessPorts> {
    Ok(command_ports(&storage_on(database)?)?.access)
}

/// The same, on a database that is created or migrated if it is empty.
fn ports_on_new(database: &DatabaseSettings) -> Result<AccessPorts> {
    Ok(command_ports(&storage_on_new(database)?)?.access)
}

/// The storage of a migrated database, which exists: otherwise a command with a wrong address would create a file or the
/// tables, and report that it finds nothing.
fn storage_on(database: &DatabaseSettings) -> Result<Storage> {
    if let DatabaseUrl::Sqlite(path) = &database.database_url
        && let Ok(false) = Path::new(path).try_exists()
    {
        bail!(
            "the database {} does not exist: give its address with --database-url, or create it with `contact-hub migrate`",
            database.database_url
        );
    }
    require_current_schema(database)?;
    Ok(open_storage(database))
}

/// The storage of a migrated database. An empty database is migrated here, because it has no data to lose; migrating an
/// older schema is the operator's decision.
fn storage_on_new(database: &DatabaseSettings) -> Result<Storage> {
    let failed = |error| schema_failure(database, error);
    let state = migration_state(&database.database_url).map_err(failed)?;
    if state == MigrationState::Empty && !database.database_pooled {
        migrate(&database.database_url).map_err(failed)?;
    }
    require_current_schema(database)?;
    Ok(open_storage(database))
}

/// The storage of a command, which waits longer than a call. The time that a statement may take begins with its wait for the
/// lock.
fn open_storage(database: &DatabaseSettings) -> Storage {
    let mut options = database.storage_options();
    if let DatabaseUrl::Sqlite(_) = options.url {
        options.wait = options.wait.max(LOCK_WAIT);
        options.statement += options.wait;
    }
    Storage::new(&options, Handle::current())
}

/// Rejects a schema on which this program's statements may fail.
fn require_current_schema(database: &DatabaseSettings) -> Result<()> {
    let state = migration_state(&database.database_url);
    match state.map_err(|error| schema_failure(database, error))? {
        MigrationState::Current => Ok(()),
        MigrationState::Empty => {
            bail!("the database {} has no schema: run `contact-hub migrate`", database.database_url)
        }
        MigrationState::Pending(count) => {
            bail!("the database lacks {count} migrations: run `contact-hub migrate` first")
        }
        state @ MigrationState::TooNew(_) => require_known_schema(database, &state),
    }
}

/// Rejects a schema that is newer than this program, unless it is marked as compatible.
pub(crate) fn require_known_schema(
    database: &DatabaseSettings,
    state: &MigrationState,
) -> Result<()> {
    if let MigrationState::TooNew(version) = state {
        bail!(
            "the database {} has a newer schema than this program: migration {version} is not marked as compatible with \
             older programs; run the newer program",
            database.database_url
        );
    }
    Ok(())
}

/// Why the schema could not be read or migrated.
pub(crate) fn schema_failure(database: &DatabaseSettings, error: StoreError) -> anyhow::Error {
    let message = match &error {
        StoreError::Unavailable(_) => unreachable_database(database),
        StoreError::Corrupt(_) | StoreError::Failed(_) => {
            format!("the database {} cannot be migrated", database.database_url)
        }
    };
    anyhow::Error::from(error).context(message)
}

pub(crate) fn unreachable_database(database: &DatabaseSettings) -> String {
    format!("the database {} cannot be reached", database.database_url)
}

/// A domain error as a message that names every offending flag.
fn refused(error: AccessError) -> anyhow::Error {
    match error {
        AccessError::Invalid(violations) => {
            let message: Vec<String> = violations
                .iter()
                .map(|(path, messages)| format!("{path} {}", messages.join(", ")))
                .collect();
            anyhow::anyhow!(message.join("; "))
        }
        other => other.into(),
    }
}
