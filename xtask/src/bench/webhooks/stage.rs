//! A running service with a first company.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::tenant::Tenant;
use crate::bench::company;
use crate::service::Service;

/// Webhooks may call this machine, and failures are not retried during a measurement.
const FLAGS: [&str; 5] = [
    "--webhook-allow-http",
    "--webhook-allow-network=127.0.0.0/8",
    "--webhook-retry-schedule=1h",
    "--database-connections=16",
    "--webhook-concurrency=512",
];

/// The permissions of the user of another company.
const PERMISSIONS: [&str; 2] = ["manage_integrations", "publish"];

/// A running service and its first company.
pub(super) struct Stage {
    program: PathBuf,
    /// The address of the database.
    pub(super) database: String,
    /// The first company.
    pub(super) company: Tenant,
    _service: Service,
    _directory: TempDir,
}

impl Stage {
    /// Starts it on an empty database: this one of a PostgreSQL, else a new SQLite file.
    pub(super) fn set(program: &Path, database: Option<&str>) -> Result<Self> {
        let directory = TempDir::new()?;
        let file = format!("sqlite://{}", directory.path().join("hub.db").display());
        let database = database.unwrap_or(&file).to_owned();
        let (service, key) = Service::on_empty(program, directory.path(), &database, &FLAGS)?;
        let company = Tenant::of_key(&service.base, key)?;
        let program = program.to_owned();
        Ok(Self { program, database, company, _service: service, _directory: directory })
    }

    /// Creates another company.
    pub(super) fn another(&self) -> Result<Tenant> {
        let key = company::create(&self.program, &self.database, &PERMISSIONS)?;
        Tenant::of_key(self.base(), key)
    }

    /// Its address.
    pub(super) fn base(&self) -> &str {
        self.company.base()
    }

    /// How many statements the service has sent to its database.
    pub(super) fn statements(&self) -> Result<f64> {
        let text = self.company.metrics()?;
        let line =
            text.lines().find_map(|line| line.strip_prefix("contact_hub_db_statements_total "));
        Ok(line.context("the service counts no statements")?.parse()?)
    }
}
