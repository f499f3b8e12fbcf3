//! `contact-hub rekey`

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use contact_hub_domain::webhooks;
use serde_json::json;

use super::{open_storage, require_current_schema};
use crate::adapters::{MasterKeyVault, SystemRandomness};
use crate::master_key;
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// The keys that open and seal.
#[derive(Args, Debug)]
pub struct RekeySettings {
    /// The file with the master keys, one on a line: the new one first, then those under which secrets are sealed
    #[arg(long, env = "CONTACT_HUB_SECRET_KEY_FILE")]
    pub secret_key_file: Option<PathBuf>,
}

/// Seals every secret under the first key of the file. A secret that none of the keys opens is counted and left
/// unchanged, and makes the command fail.
pub async fn run(database: &DatabaseSettings, settings: &RekeySettings) -> Result<()> {
    let Ok(file) = master_key::file(settings.secret_key_file.as_deref(), &database.database_url)
    else {
        bail!(
            "--secret-key-file is required with PostgreSQL: give the file of the instances, with the new key on its first \
             line"
        );
    };
    let keys = master_key::read(&file)?;
    require_current_schema(database)?;
    let storage = open_storage(database);
    let vault = MasterKeyVault::new(&keys, Arc::new(SystemRandomness));
    let done = webhooks::rekey(&storage, &vault).await.context("secrets cannot be resealed")?;
    print_line(&json!({"resealed": done.resealed, "unopened": done.unopened}).to_string())?;
    if done.unopened > 0 {
        bail!(
            "{} secrets do not open with any key of {}: add the keys under which they are sealed",
            done.unopened,
            file.display()
        );
    }
    Ok(())
}
