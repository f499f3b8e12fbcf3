//! Checks an installation: what was found, how bad it is, and what to do.

mod database;
mod finding;
mod machine;
mod secrets;

use std::path::PathBuf;

use contact_hub_storage::MigrationState;

pub(crate) use finding::{Finding, Level};

use crate::settings::DatabaseSettings;

/// Runs all checks. `progress` is called with what is being checked.
pub(crate) async fn run(
    database: &DatabaseSettings,
    secret_key_file: Option<PathBuf>,
    progress: impl FnMut(String) + Send + 'static,
) -> Vec<Finding> {
    let url = database.database_url.clone();
    let looked = tokio::task::spawn_blocking(move || database::look(&url, progress)).await;
    let (state, mut findings) = looked.unwrap_or_else(|_panic| {
        (None, vec![Finding::error("database", "the check panicked", "report this")])
    });
    // Statements on secrets need the tables of this program.
    if let Some(MigrationState::Current) = state {
        findings.push(secrets::look(database, secret_key_file.as_deref()).await);
    }
    findings.extend(machine::look(&database.database_url));
    findings
}
