//! `cargo xtask bench`: the throughput of the service, compared with that of its database.
//!
//! Everything runs on one machine and in one run: a PostgreSQL with fsync, the release build of the service with its
//! limits off, and the clients. So the absolute figures depend on the machine, but the ratios can be compared: each
//! request is compared with the same rows read or written by `pgbench`, with prepared statements and as many clients.
//!
//! Reading order: [`contacts`], [`reads`], [`creates`], [`bulk`], [`sqlite`], [`writes`], [`pages`], [`scale`],
//! [`exports`], [`by_values`], [`webhooks`], [`instances`] and [`attacks`] define the measurements, [`load`] calls the
//! service, [`pgbench`] the database, [`table`] formats the results, [`stage`] sets everything up.

mod attacks;
mod bulk;
mod by_values;
mod company;
mod contacts;
mod creates;
mod exports;
mod instances;
mod load;
mod pages;
mod pgbench;
mod reads;
pub(crate) mod scale;
mod sqlite;
mod stage;
mod table;
mod webhooks;
mod writes;

use std::process::Command;

use anyhow::Result;

use crate::database::{Durability, ThrowawayPostgres};
use crate::{cargo, process, report};

/// Builds programs, optimised.
const BUILD: [&str; 5] = [
    "build",
    "--release",
    "--package=contact-hub",
    "--package=contact-hub-tests",
    "--package=xtask",
];

/// The programs of every measurement: the service, what fills its database, and this program.
const ALWAYS: [&str; 3] = ["--bin=contact-hub", "--bin=seed", "--bin=xtask"];

/// The measurements.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Read, list and write contacts, compared with PostgreSQL alone
    Contacts(ContactOptions),
    /// Request and deliver syncs, on both databases
    Webhooks(webhooks::WebhookOptions),
    /// Read and create contacts by several instances, beside one
    Instances(instances::InstanceOptions),
    /// Exports and pages by cursor among many contacts, on both databases
    Exports(stage::StageOptions),
    /// Filters by fields, and bulks with filterable fields, on both databases
    Fields(stage::StageOptions),
    /// Every kind of list among ten million contacts
    Scale(scale::ScaleOptions),
    /// Memory and latencies while clients overload the service
    Attacks(attacks::AttackOptions),
}

impl What {
    /// The programs that only this measurement runs. Each of them takes minutes to build.
    const fn programs(&self) -> &'static [&'static str] {
        match self {
            Self::Contacts(_) => &["--bin=reads", "--bin=drawn"],
            Self::Webhooks(_) => &["--bin=backlog"],
            Self::Scale(_) => &["--bin=scale"],
            Self::Instances(_) | Self::Exports(_) | Self::Fields(_) | Self::Attacks(_) => &[],
        }
    }
}

/// Options of the measurement of contacts.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct ContactOptions {
    /// How many contacts the large database has
    #[arg(long, default_value_t = 1_000_000)]
    contacts: u64,
    /// How many contacts the small database has
    #[arg(long, default_value_t = 10_000)]
    small: u64,
    /// How many clients create contacts at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// For how many seconds each kind of request is measured
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Measure only SQLite
    #[arg(long, group = "only")]
    sqlite_only: bool,
    /// Measure only the bulks on SQLite, and the memory under them
    #[arg(long, group = "only")]
    sqlite_bulks_only: bool,
    /// Measure only the creates and bulks on PostgreSQL
    #[arg(long, group = "only")]
    postgres_writes_only: bool,
    /// Measure only the single creates on PostgreSQL
    #[arg(long, group = "only")]
    creates_only: bool,
    /// Measure only the reads of one contact
    #[arg(long, group = "only")]
    reads_only: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs the task. The clients share the machine with what they measure, so they must be optimised too.
pub(crate) fn run(options: &Options) -> Result<()> {
    // The clients of an attack are fast enough without optimisation.
    if cfg!(debug_assertions) && !matches!(options.what, What::Attacks(_)) {
        let programs = [&BUILD[..], &ALWAYS, options.what.programs()].concat();
        process::run(&mut cargo::command(&programs))?;
        let program = cargo::workspace_root().join("target/release/xtask");
        return process::run(Command::new(program).args(std::env::args_os().skip(1)));
    }
    let postgres = || ThrowawayPostgres::start(Durability::Durable);
    let shown = |rows: &[_], json| if json { table::json(rows) } else { table::text(rows) };
    let measured = match &options.what {
        What::Contacts(options) if options.sqlite_only => {
            shown(&sqlite::measure(options)?, options.json)
        }
        What::Contacts(options) if options.sqlite_bulks_only => {
            shown(&sqlite::bulks_alone(options)?, options.json)
        }
        What::Contacts(options) => shown(&contacts::measure(&postgres()?, options)?, options.json),
        What::Webhooks(options) => shown(&webhooks::measure(&postgres()?, options)?, options.json),
        What::Instances(options) => {
            shown(&instances::measure(&postgres()?, options)?, options.json)
        }
        What::Exports(options) => shown(&exports::measure(options)?, options.json),
        What::Fields(options) => shown(&by_values::measure(options)?, options.json),
        What::Attacks(options) => attacks::measure(options)?,
        What::Scale(options) => return scale::measure(options),
    };
    report::line(&measured);
    Ok(())
}
