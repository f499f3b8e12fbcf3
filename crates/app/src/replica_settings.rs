//! The settings for read replicas.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use contact_hub_storage::{DatabaseUrl, MAX_REPLICAS, ReplicaOptions};

use crate::database_address::DatabaseAddress;
use crate::whole_number::whole_number;

const LAG_MS: u64 = 5000;

/// Read replicas of a PostgreSQL.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Read replicas")]
pub struct ReplicaSettings {
    /// The address of a read replica of the PostgreSQL in --database-url, for lists, searches, look-ups and exports;
    /// repeatable, spaces in the variable
    #[arg(
        id = "database_read_url",
        long = "database-read-url",
        env = "CONTACT_HUB_DATABASE_READ_URL",
        hide_env_values = true,
        value_name = "URL",
        value_delimiter = ' ',
        value_parser = DatabaseAddress
    )]
    pub urls: Vec<DatabaseUrl>,

    /// How many milliseconds a read replica may be behind; one that is further behind is left out
    #[arg(long = "database-read-lag-ms", env = "CONTACT_HUB_DATABASE_READ_LAG_MS", default_value_t = LAG_MS,
          value_parser = whole_number::<u64>(100..=600_000))]
    pub lag_ms: u64,
}

impl Default for ReplicaSettings {
    fn default() -> Self {
        Self { urls: Vec::new(), lag_ms: LAG_MS }
    }
}

impl ReplicaSettings {
    /// The options for the storage of this database.
    pub fn options(&self, database: &DatabaseUrl) -> Result<ReplicaOptions> {
        let is_postgres = |url: &DatabaseUrl| matches!(url, DatabaseUrl::Postgres(_));
        ensure!(
            self.urls.iter().all(is_postgres),
            "--database-read-url must begin with postgres://: SQLite has no read replicas"
        );
        ensure!(
            self.urls.is_empty() || is_postgres(database),
            "--database-read-url needs a PostgreSQL in --database-url: SQLite has no read replicas"
        );
        ensure!(
            self.urls.len() <= MAX_REPLICAS,
            "--database-read-url may be given at most {MAX_REPLICAS} times"
        );
        for url in &self.urls {
            url.check_tls().context("--database-read-url")?;
        }
        Ok(ReplicaOptions { urls: self.urls.clone(), lag: Duration::from_millis(self.lag_ms) })
    }
}
