//! The project's tasks, run as `cargo xtask <task>`.
//!
//! A task is one variant of [`Task`] and one module with a `run` function. Code that several tasks share (running
//! commands, listing results, a throwaway PostgreSQL) has its own module.

mod api;
mod bench;
mod browser;
mod cargo;
mod ci;
mod clients;
mod conformance;
mod database;
mod delegate;
mod deploy;
mod drill;
mod instance;
mod layers;
mod load;
mod mail;
mod namespace;
mod outage;
mod packages;
mod process;
mod release;
mod replicas;
mod report;
mod service;
mod steps;
mod test;
mod tidy;
mod torture;
mod upgrade;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of the Contact Hub's workspace.
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

/// One task; its documentation is what `cargo xtask help` shows.
#[derive(Subcommand)]
enum Task {
    /// Run every test on SQLite, then the integration tests on a throwaway PostgreSQL
    Test(test::Options),
    /// Run every check that a change has to pass, including the tests
    Ci,
    /// Apply the pending migrations; takes the flags of `contact-hub migrate`
    Migrate(delegate::Arguments),
    /// Fill a database with made-up contacts; `cargo xtask seed --help` lists the flags
    Seed(delegate::Arguments),
    /// Check that the interface breaks no client of the last release
    Api(api::Options),
    /// Check the clients in TypeScript and Python with a running hub, and pack them
    Clients(clients::Options),
    /// Check the service against its OpenAPI document, on both databases
    Conformance,
    /// Measure the service and compare it with its database; takes a few minutes
    Bench(bench::Options),
    /// Find or install the programs for the browser tests: Chromium, its driver, axe-core, oidc-provider
    Browser,
    /// Check the files in `deploy/`, the workflows and the book, with the programs that read them
    Deploy,
    /// Build what is released: a static binary, packages, checksums and notes
    Release(release::Options),
    /// Stop PostgreSQL under the running service, and start it again
    Outage,
    /// Read on a replica of PostgreSQL while it is behind, cut off, stopped, killed and promoted
    Replicas,
    /// Inject one fault after the other under load, and check that all acknowledged writes are kept
    Torture(torture::Options),
    /// Back a large database up under load, restore it elsewhere, and print how long that takes
    Drill(drill::Options),
    /// Run the program of a previous commit beside the new one through a migration under load; needs no release, but a
    /// commit
    Upgrade(upgrade::Options),
    /// Check which crate depends on which
    Layers,
    /// Check module docs, file lengths, names, links, migrations and that the book has every page
    Tidy,
}

impl Task {
    /// Whether it may mount a file system.
    const fn mounts(&self) -> bool {
        matches!(self, Self::Test(_) | Self::Ci | Self::Torture(_))
    }

    fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Test(options) => test::run(&options),
            Self::Ci => ci::run(),
            Self::Migrate(arguments) => delegate::migrate(&arguments),
            Self::Seed(arguments) => delegate::seed(&arguments),
            Self::Api(options) => api::run(&options),
            Self::Clients(options) => clients::run(&options),
            Self::Conformance => conformance::run(),
            Self::Bench(options) => bench::run(&options),
            Self::Browser => browser::run(),
            Self::Deploy => deploy::run(),
            Self::Release(options) => release::run(&options),
            Self::Outage => outage::run(),
            Self::Replicas => replicas::run(),
            Self::Torture(options) => torture::run(&options),
            Self::Drill(options) => drill::run(&options),
            Self::Upgrade(options) => upgrade::run(&options),
            Self::Layers => layers::run(),
            Self::Tidy => tidy::run(),
        }
    }
}

fn main() -> ExitCode {
    let task = Cli::parse().task;
    if task.mounts() {
        namespace::enter();
    }
    let result = process::watch_signals().and_then(|()| task.run());
    if process::interrupted() {
        report::line("interrupted");
        return ExitCode::from(130);
    }
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::line(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
