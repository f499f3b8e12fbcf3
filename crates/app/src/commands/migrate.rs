//! `contact-hub migrate`

use anyhow::Result;
use contact_hub_storage::migrate;
use serde_json::json;

use super::schema_failure;
use crate::output::print_line;
use crate::settings::DatabaseSettings;
use crate::telemetry;

/// Applies the pending migrations. Progress is logged to standard error.
pub fn run(database: &DatabaseSettings) -> Result<()> {
    let _logs = telemetry::start_logs("info")?;
    let applied =
        migrate(&database.database_url).map_err(|error| schema_failure(database, error))?;
    print_line(&json!({"applied": applied}).to_string())
}
