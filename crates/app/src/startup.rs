//! The steps before the service starts: it waits for the database, checks the master key, and migrates.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use contact_hub_domain::ports::{Randomness, StoreError};
use contact_hub_domain::webhooks::SecretStore;
use contact_hub_storage::{DatabaseUrl, MigrationState, Storage, migrate, migration_state};

use crate::commands::{require_known_schema, schema_failure, unreachable_database};
use crate::files;
use crate::master_key;
use crate::settings::{DatabaseSettings, ServeSettings};

/// The interval between attempts to reach the database, and between logs of the wait.
const ASK_EVERY: Duration = Duration::from_millis(500);
const LOG_EVERY: Duration = Duration::from_secs(5);

/// Prepares the database for the service, with the storage that then serves. Returns whether its schema is current.
/// Dropping the future stops the wait; a running migration ends with the process and is rolled back.
pub async fn prepare(
    database: &DatabaseSettings,
    settings: &ServeSettings,
    storage: &Storage,
    randomness: &dyn Randomness,
) -> Result<bool> {
    let file = master_key::file(settings.secret_key_file.as_deref(), &database.database_url)?;
    let state = if let DatabaseUrl::Sqlite(path) = &database.database_url {
        files::warn_unless_private(Path::new(path));
        // This does not use the storage, which would wait for a file that cannot be opened.
        in_background(database, |url| migration_state(&url)).await?
    } else {
        // A missing file is reported at once, not only when the database answers.
        drop(master_key::read(&file)?);
        let limit = Duration::from_millis(settings.database_start_wait_ms);
        wait_for(database, storage, limit).await?;
        storage.migration_state().await.map_err(|error| schema_failure(database, error))?
    };
    require_known_schema(database, &state)?;
    let migrates = !settings.no_migrate && !database.database_pooled;
    if !migrates && state == MigrationState::Empty {
        bail!(
            "the database {} has no schema: run `contact-hub migrate`, or start without --no-migrate and --database-pooled",
            database.database_url
        );
    }
    if !migrates && state != MigrationState::Current {
        tracing::warn!(
            "migrations are pending: the service is not ready until `contact-hub migrate` applies them"
        );
    }
    check_key(database, storage, &file).await?;
    drop(master_key::ensure(
        settings.secret_key_file.as_deref(),
        &database.database_url,
        randomness,
    )?);
    if migrates {
        in_background(database, |url| migrate(&url)).await?;
    }
    Ok(migrates || state == MigrationState::Current)
}

/// Waits until the database answers.
async fn wait_for(database: &DatabaseSettings, storage: &Storage, limit: Duration) -> Result<()> {
    let (began, mut logged) = (Instant::now(), None::<Instant>);
    loop {
        let Err(error) = storage.health().await else { return Ok(()) };
        if began.elapsed() + ASK_EVERY >= limit {
            return Err(error).with_context(|| unreachable_database(database));
        }
        if logged.is_none_or(|logged| logged.elapsed() >= LOG_EVERY) {
            logged = Some(Instant::now());
            let (elapsed_s, limit_s) = (began.elapsed().as_secs(), limit.as_secs());
            let error = anyhow::Error::from(error);
            tracing::warn!(
                cause = format!("{error:#}"),
                elapsed_s,
                limit_s,
                "waiting for the database"
            );
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}

/// Fails if the database has secrets and none of the keys opens any of them.
async fn check_key(database: &DatabaseSettings, storage: &Storage, file: &Path) -> Result<()> {
    let sealed_under = storage.key_ids().await.with_context(|| unreachable_database(database))?;
    master_key::check(file, &sealed_under)
}

/// Runs blocking work on a separate thread.
async fn in_background<T: Send + 'static>(
    database: &DatabaseSettings,
    work: impl FnOnce(DatabaseUrl) -> Result<T, StoreError> + Send + 'static,
) -> Result<T> {
    let url = database.database_url.clone();
    let done = tokio::task::spawn_blocking(move || work(url)).await;
    done.context("the schema's check panicked")?.map_err(|error| schema_failure(database, error))
}
