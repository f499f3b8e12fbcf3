//! A filled database with a running service.

use std::fs;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tempfile::TempDir;

use super::table::Row;
use crate::database::{Durability, ThrowawayPostgres};
use crate::service::{Service, built};
use crate::{cargo, process, report};

/// Options of what is measured on a filled database of each kind.
#[derive(clap::Args)]
pub(crate) struct StageOptions {
    /// How many contacts the company has
    #[arg(long, default_value_t = 1_000_000)]
    pub(super) contacts: u64,
    /// Measure only one database
    #[arg(long, value_enum)]
    only: Option<Kind>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Sqlite,
    Postgres,
}

impl StageOptions {
    /// Measures on each database, or on the one that was chosen.
    pub(super) fn on_each(
        &self,
        measure: impl Fn(&Stage, &str) -> Result<Vec<Row>>,
    ) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        if self.only != Some(Kind::Sqlite) {
            let postgres = ThrowawayPostgres::start(Durability::Durable)?;
            rows.extend(measure(&Stage::set(&postgres, "large", self.contacts)?, "PostgreSQL")?);
        }
        if self.only != Some(Kind::Postgres) {
            rows.extend(measure(&Stage::on_sqlite(self.contacts)?, "SQLite")?);
        }
        Ok(rows)
    }
}

/// A service on a database with this many contacts.
pub(crate) struct Stage {
    /// The database's name; empty on SQLite.
    pub(crate) database: String,
    /// The database's address.
    pub(super) url: String,
    /// The company that has the contacts.
    pub(crate) company: String,
    /// A key of that company.
    pub(crate) key: String,
    /// The running service.
    pub(crate) service: Service,
    directory: TempDir,
}

impl Stage {
    /// Fills a new database and starts the service on it.
    pub(crate) fn set(postgres: &ThrowawayPostgres, database: &str, contacts: u64) -> Result<Self> {
        report::line(&format!("filling a database with {contacts} contacts"));
        postgres.sql("postgres", &format!("CREATE DATABASE {database}"))?;
        let url = postgres.url_of(database);
        let summary = seed(&url, contacts)?;
        postgres.sql(database, "VACUUM ANALYZE")?;
        postgres.sql(database, "CHECKPOINT")?;
        Self::start(database, &url, TempDir::new()?, &summary)
    }

    /// Fills a new SQLite file and starts the service on it.
    pub(super) fn on_sqlite(contacts: u64) -> Result<Self> {
        report::line(&format!("filling a SQLite file with {contacts} contacts"));
        let directory = TempDir::new()?;
        let url = format!("sqlite://{}", directory.path().join("hub.db").display());
        let summary = seed(&url, contacts)?;
        Self::start("", &url, directory, &summary)
    }

    fn start(database: &str, url: &str, directory: TempDir, summary: &Value) -> Result<Self> {
        let service = Service::on_filled(&built("release"), directory.path(), url, &[])?;
        let text = |name: &str| {
            let value = summary.get(name).and_then(Value::as_str);
            value.map(str::to_owned).with_context(|| format!("seeding printed no {name}"))
        };
        Ok(Self {
            database: database.to_owned(),
            url: url.to_owned(),
            company: text("company")?,
            key: text("token")?,
            service,
            directory,
        })
    }

    /// Starts another instance of the service on the database, with additional flags.
    pub(super) fn another_instance(&self, flags: &[&str]) -> Result<Service> {
        Service::on_filled(&built("release"), self.directory.path(), &self.url, flags)
    }
}

fn seed(url: &str, contacts: u64) -> Result<Value> {
    let program = cargo::workspace_root().join("target/release/seed");
    let output = TempDir::new()?;
    let summary = output.path().join("summary.json");
    let mut command = std::process::Command::new(program);
    command.args(["--contacts", &contacts.to_string(), "--database-url", url]);
    process::run(command.stdout(fs::File::create(&summary)?))?;
    Ok(serde_json::from_str(&fs::read_to_string(summary)?)?)
}
