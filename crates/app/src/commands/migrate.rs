//! `contact-hub migrate`

use anyhow::{Context, Result};
use contact_hub_storage::migrate;
use serde_json::json;

use super::unreachable_database;
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// Applies what is pending.
pub fn run(database: &DatabaseSettings) -> Result<()> {
    let applied =
        migrate(&database.database_url).with_context(|| unreachable_database(database))?;
    print_line(&json!({"applied": applied}).to_string())
}
