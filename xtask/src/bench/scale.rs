//! Every kind of list among many contacts, and of a small company beside them.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::database::{Durability, ThrowawayPostgres};
use crate::steps::{Done, Steps};
use crate::{cargo, process, report};

/// How many contacts a step of a longer list has on each database. On PostgreSQL, where they are copied, some lists then have
/// more matches than are sorted.
const FEW_ON_POSTGRES: u64 = 60_000;
const FEW_ON_SQLITE: u64 = 10_000;

/// Options of the measurement of lists.
#[derive(clap::Args)]
pub(crate) struct ScaleOptions {
    /// How many contacts the company has
    #[arg(long, default_value_t = 10_000_000)]
    contacts: u64,
    /// How many contacts the small company beside it has
    #[arg(long, default_value_t = 20_000)]
    neighbour: u64,
    /// How often each list is asked for
    #[arg(long, default_value_t = 7)]
    rounds: u32,
    /// An empty database that is filled and kept, instead of a PostgreSQL that is removed
    #[arg(long)]
    database_url: Option<String>,
    /// The database was filled by an earlier run
    #[arg(long, requires = "database_url")]
    again: bool,
}

/// Fills the database and asks.
pub(crate) fn measure(options: &ScaleOptions) -> Result<()> {
    let summaries = cargo::workspace_root().join("target/bench-scale");
    fs::create_dir_all(&summaries)?;
    let Some(url) = &options.database_url else {
        let postgres = ThrowawayPostgres::start(Durability::Throwaway)?;
        postgres.sql("postgres", "CREATE DATABASE scale")?;
        return ask("release", options, &postgres.url_of("scale"), &summaries);
    };
    ask("release", options, url, &summaries)
}

/// Adds steps with fewer contacts to a list of steps. They fail if a list reads a whole table; how long it takes is only
/// printed.
pub(crate) fn add_steps(steps: &mut Steps) {
    steps.run("plans of lists on SQLite", || {
        let directory = tempfile::tempdir()?;
        let url = format!("sqlite://{}", directory.path().join("scale.db").display());
        ask_few(FEW_ON_SQLITE, &url, directory.path())
    });
    steps.run("plans of lists on PostgreSQL", || {
        let directory = tempfile::tempdir()?;
        let postgres = ThrowawayPostgres::start(Durability::InMemory)?;
        postgres.sql("postgres", "CREATE DATABASE scale")?;
        ask_few(FEW_ON_POSTGRES, &postgres.url_of("scale"), directory.path())
    });
}

fn ask_few(contacts: u64, url: &str, summaries: &Path) -> Result<Done> {
    // The programs are built together with the tests.
    process::run(&mut cargo::command(&["test", "--workspace", "--no-run", "--quiet"]))?;
    let neighbour = contacts / 10;
    let options = ScaleOptions { contacts, neighbour, rounds: 1, database_url: None, again: false };
    ask("debug", &options, url, summaries)?;
    Ok(Done::Passed)
}

/// Asks about the companies whose ids are in this directory.
fn ask(profile: &str, options: &ScaleOptions, url: &str, summaries: &Path) -> Result<()> {
    let programs = cargo::workspace_root().join("target").join(profile);
    let (large, small) = (summaries.join("company.json"), summaries.join("neighbour.json"));
    if !options.again {
        // Only PostgreSQL can copy, and only into a table without contacts.
        let copied = ["--copy", "--fields", "7", "--filterable"];
        let copied: &[&str] = if url.starts_with("postgres") { &copied } else { &[] };
        fill(&programs, url, options.contacts, copied, &large)?;
        fill(&programs, url, options.neighbour, &["--company", "Neighbour"], &small)?;
    }
    let mut command = Command::new(programs.join("scale"));
    command.args(["--database-url", url, "--rounds", &options.rounds.to_string()]);
    command.args(["--company", &company(&large)?, "--neighbour", &company(&small)?]);
    process::run(&mut command)
}

fn fill(programs: &Path, url: &str, contacts: u64, flags: &[&str], summary: &Path) -> Result<()> {
    report::line(&format!("filling a database with {contacts} contacts"));
    let mut command = Command::new(programs.join("seed"));
    command.args(["--database-url", url, "--contacts", &contacts.to_string()]).args(flags);
    process::run(command.stdout(File::create(summary)?))
}

fn company(summary: &Path) -> Result<String> {
    let summary: Value = serde_json::from_str(&fs::read_to_string(summary)?)?;
    let company = summary.get("company").and_then(Value::as_str);
    company.map(str::to_owned).context("seeding printed no company")
}
