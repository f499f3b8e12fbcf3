//! What an operator can ask for; each command that ends prints one JSON object, but for `demo`, which tells a story.

pub mod api_key;
pub mod company;
pub mod demo;
mod demo_told;
pub mod migrate;
pub mod openapi;
pub mod serve;
pub mod user;

use anyhow::{Context, Result, bail};
use contact_hub_domain::access::AccessError;
use contact_hub_domain::context::Ports;
use contact_hub_storage::{MigrationState, Storage, migrate, migration_state};
use tokio::runtime::Handle;

use crate::settings::DatabaseSettings;
use crate::wire::command_ports;

/// The ports on a database that is migrated. An empty database is migrated here, since that can lose nothing; a schema
/// of an older version is an operator's decision.
fn ports_on(database: &DatabaseSettings) -> Result<Ports> {
    match migration_state(&database.database_url).with_context(|| unreachable_database(database))? {
        MigrationState::Current => {}
        MigrationState::Empty => {
            migrate(&database.database_url).context("the database cannot be migrated")?;
        }
        MigrationState::Pending(count) => {
            bail!("the database lacks {count} migrations: run `contact-hub migrate` first")
        }
    }
    let storage = Storage::new(&database.storage_options(), Handle::current());
    command_ports(&storage)
}

fn unreachable_database(database: &DatabaseSettings) -> String {
    format!("the database {} cannot be reached", database.database_url)
}

/// A refusal in words, with every offending flag.
fn refused(error: AccessError) -> anyhow::Error {
    match error {
        AccessError::Invalid(violations) => {
            let told: Vec<String> = violations
                .iter()
                .map(|(path, messages)| format!("{path} {}", messages.join(", ")))
                .collect();
            anyhow::anyhow!(told.join("; "))
        }
        other => other.into(),
    }
}
