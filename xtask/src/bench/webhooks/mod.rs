//! Webhooks, measured through the service's own interface, on both databases.
//!
//! [`usual`] measures normal load, [`backlog`] a receiver with a very large backlog, and [`hanging`] very many
//! receivers that never answer.

mod backlog;
mod hanging;
mod receiver;
mod stage;
mod tenant;
mod times;
mod usual;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use self::receiver::Receiver;
use self::stage::Stage;
use super::table::Row;
use crate::database::ThrowawayPostgres;
use crate::{report, service};

/// Longer than any measured delivery takes.
const PATIENCE: Duration = Duration::from_mins(5);

/// Options of the measurement of webhooks.
#[derive(clap::Args)]
pub(crate) struct WebhookOptions {
    /// How many deliveries wait before they are sent
    #[arg(long, default_value_t = 20_000)]
    waiting: usize,
    /// How many deliveries of another company wait for a receiver that never answers, while requests and waiting
    /// deliveries are measured
    #[arg(long, default_value_t = 0)]
    beside: u32,
    /// How many deliveries of one webhook wait while it is switched, recovered and deleted
    #[arg(long, default_value_t = 200_000)]
    backlog: u32,
    /// How many webhooks have a receiver that never answers
    #[arg(long, default_value_t = 600)]
    hanging: usize,
    /// How many syncs are requested to measure the time to their receipt
    #[arg(long, default_value_t = 200)]
    samples: usize,
    /// How many clients request syncs at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// The program that is measured [default: the release build]
    #[arg(long)]
    program: Option<PathBuf>,
    /// Measure only this part: soon, waiting, apart, backlog or hanging
    #[arg(long, default_value = "")]
    only: String,
    /// Do not measure SQLite
    #[arg(long)]
    postgres_only: bool,
    /// Do not measure PostgreSQL
    #[arg(long, conflicts_with = "postgres_only")]
    sqlite_only: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

/// A database to measure on.
pub(super) struct Place<'a> {
    name: &'static str,
    postgres: Option<&'a ThrowawayPostgres>,
    program: &'a Path,
}

/// A part of the measurement.
type Part = fn(&Place<'_>, &Receiver, &WebhookOptions) -> Result<Vec<Row>>;

const PARTS: [(&str, Part); 5] = [
    ("soon", usual::soon),
    ("waiting", usual::waiting),
    ("apart", usual::apart),
    ("backlog", backlog::measure),
    ("hanging", hanging::measure),
];

/// Measures everything on both databases.
pub(crate) fn measure(postgres: &ThrowawayPostgres, options: &WebhookOptions) -> Result<Vec<Row>> {
    let program = options.program.clone().unwrap_or_else(|| service::built("release"));
    let on = |name, postgres| Place { name, postgres, program: &program };
    let places = [
        (!options.sqlite_only).then(|| on("PostgreSQL", Some(postgres))),
        (!options.postgres_only).then(|| on("SQLite", None)),
    ];
    let receiver = Receiver::start()?;
    let mut rows = Vec::new();
    for (_, part) in PARTS.iter().filter(|(name, _)| name.contains(&options.only)) {
        for place in places.iter().flatten() {
            rows.extend(part(place, &receiver, options)?);
        }
    }
    Ok(rows)
}

impl Place<'_> {
    /// A service on an empty database.
    fn stage(&self, part: &str) -> Result<Stage> {
        report::line(&format!("{part} on {}", self.name));
        let Some(postgres) = self.postgres else { return Stage::set(self.program, None) };
        postgres.sql("postgres", &format!("CREATE DATABASE {part}"))?;
        Stage::set(self.program, Some(&postgres.url_of(part)))
    }
}
