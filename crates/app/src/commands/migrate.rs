//! `contact-hub migrate`

use anyhow::{Context as _, Result, bail};
use clap::Args;
use contact_hub_storage::{distribute, expire_cursors, migrate};
use serde_json::json;

use super::schema_failure;
use crate::logs;
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// What is done beside the migrations.
#[derive(Args, Clone, Debug)]
pub struct MigrateSettings {
    /// Distribute the contacts, fields and counts by company over the nodes of a Citus cluster, whose coordinator is
    /// the database
    #[arg(long)]
    citus: bool,
    /// The database was restored by other means than `contact-hub restore`: cursors of the change feed from before expire
    #[arg(long)]
    restored: bool,
}

/// Applies the pending migrations. Progress is logged to standard error.
pub fn run(database: &DatabaseSettings, settings: &MigrateSettings) -> Result<()> {
    if database.database_pooled {
        bail!(
            "a migration needs a session of its own: give the address of the database, without --database-pooled"
        );
    }
    let _logs = logs::start("info")?;
    let applied =
        migrate(&database.database_url).map_err(|error| schema_failure(database, error))?;
    if settings.restored {
        expire_cursors(&database.database_url)
            .with_context(|| format!("the feeds of {} do not begin anew", database.database_url))?;
    }
    if !settings.citus {
        return print_line(&json!({"applied": applied}).to_string());
    }
    let distributed = distribute(&database.database_url)
        .with_context(|| format!("the database {} cannot be distributed", database.database_url))?;
    print_line(&json!({"applied": applied, "distributed": distributed}).to_string())
}
