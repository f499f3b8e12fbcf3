//! `cargo xtask test`: every test, on both databases.
//!
//! The whole workspace is built and run on SQLite; then the integration tests run once more on a
//! PostgreSQL that is started for them and removed afterwards. Plain `cargo test` is used, so a
//! machine needs nothing but Rust and a C compiler; PostgreSQL, Chromium and a mail server are
//! installed if need be.

use anyhow::Result;

use crate::database::{Durability, ThrowawayPostgres};
use crate::steps::{Done, Steps};
use crate::torture::{self, Kind};
use crate::{browser, cargo, mail, outage, process, replicas, report};

/// Selects the database of the tests: `sqlite` or the address of a PostgreSQL.
const DATABASE_VARIABLE: &str = "CONTACT_HUB_TEST_DATABASE";

/// The prefix of the names of all browser tests.
const BROWSER_TESTS: &str = "journeys::";

const BUILD: &str = "build the tests";
const SQLITE: &str = "tests on SQLite";
const POSTGRES: &str = "integration tests on PostgreSQL";
const GIVEN: &str = "integration tests on the given database";

/// Only integration tests use a database. Selecting them by target, not by package, keeps the features of the whole
/// workspace, and so the existing build.
const DATABASE_TESTS: [&str; 2] = ["--test", "*"];

/// The options of the tests.
#[derive(clap::Args, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Do not test on PostgreSQL
    #[arg(long)]
    sqlite_only: bool,
    /// Run only the tests that use a database, on this PostgreSQL or the coordinator of a Citus cluster
    #[arg(long, value_name = "URL", conflicts_with_all = ["sqlite_only", "keep", "durable"])]
    database_url: Option<String>,
    /// Keep the PostgreSQL and its databases running until the next run
    #[arg(long, conflicts_with = "sqlite_only")]
    keep: bool,
    /// Run PostgreSQL with fsync, as in production
    #[arg(long, conflicts_with = "sqlite_only")]
    durable: bool,
    /// Do not run the browser tests
    #[arg(long)]
    no_browser: bool,
    /// Arguments for the test programs, such as parts of test names
    #[arg(last = true)]
    filter: Vec<String>,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::default();
    add_steps(&mut steps, options);
    steps.finish()
}

/// Runs the tests as steps of a longer list.
pub(crate) fn add_steps(steps: &mut Steps, options: &Options) {
    let built = steps.run(BUILD, || {
        process::run(&mut cargo::command(&["test", "--workspace", "--no-run"]))?;
        Ok(Done::Passed)
    });
    if built && !options.no_browser {
        browser::add_step(steps);
    }
    if built {
        mail::add_step(steps);
    }
    if let Some(url) = &options.database_url {
        if built {
            steps.run(GIVEN, || cargo_test(&DATABASE_TESTS, url, options));
        } else {
            steps.skip(GIVEN, "the build failed");
        }
        return;
    }
    if built {
        steps.run(SQLITE, || on_sqlite(options));
    } else {
        steps.skip(SQLITE, "the build failed");
    }
    if options.sqlite_only {
        steps.skip(POSTGRES, "left out by --sqlite-only");
    } else if built {
        steps.run(POSTGRES, || on_postgres(options));
        if options.filter.is_empty() {
            outage::add_step(steps);
            replicas::add_step(steps);
        }
    } else {
        steps.skip(POSTGRES, "the build failed");
    }
    if built && options.filter.is_empty() {
        let kinds: &[_] =
            if options.sqlite_only { &[Kind::Sqlite] } else { &[Kind::Sqlite, Kind::Postgres] };
        torture::add_step(steps, kinds);
    }
}

fn on_sqlite(options: &Options) -> Result<Done> {
    cargo_test(&[], "sqlite", options)
}

/// The database is removed at the end of this scope, whether the tests pass or not.
fn on_postgres(options: &Options) -> Result<Done> {
    let durability = if options.durable { Durability::Durable } else { Durability::InMemory };
    let mut postgres = ThrowawayPostgres::start(durability)?;
    let result = cargo_test(&DATABASE_TESTS, &postgres.url(), options);
    if options.keep && !process::interrupted() {
        postgres.keep();
        report::line(&format!("PostgreSQL keeps running until the next run: {}", postgres.url()));
    }
    result
}

fn cargo_test(targets: &[&str], database: &str, options: &Options) -> Result<Done> {
    let mut command = cargo::command(&["test", "--workspace", "--no-fail-fast"]);
    command.args(targets).arg("--").args(&options.filter).env(DATABASE_VARIABLE, database);
    if options.no_browser {
        command.args(["--skip", BROWSER_TESTS]);
    }
    process::run(&mut command)?;
    Ok(Done::Passed)
}
