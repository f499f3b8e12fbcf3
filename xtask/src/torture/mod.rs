//! `cargo xtask torture`: clients that record what was acknowledged, several instances, and one fault after the
//! other.
//!
//! A seed determines the order of the faults. After each round everything acknowledged must exist, complete and
//! counted, histories of single contacts must be linearizable, the event of each acknowledged sync request must have
//! been received, and a mirror that is killed too must have the same contacts. After a violation the files and the
//! server are kept for inspection.
//!
//! Reading order: [`round`] is one round; [`fault`] has the faults, [`rig`] the instances and the database,
//! [`writer`], [`history`], [`syncs`] and [`mirror`] are the clients, [`check`] compares, [`tally`] counts.

mod check;
mod client;
mod disk;
mod fault;
mod history;
mod mirror;
mod person;
mod proxy;
mod receiver;
mod rig;
mod round;
mod syncs;
mod tally;
mod timeline;
mod writer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use self::fault::Fault;
pub(crate) use self::receiver::{Manner, Receiver};
pub(crate) use self::rig::Kind;
use self::rig::Rig;
use self::round::Rounds;
use self::tally::Tally;
use crate::steps::{Done, Steps};
use crate::{cargo, process, report, service};

/// The duration for each database as part of the tests.
const SHORT: Duration = Duration::from_secs(30);

/// Options of the torture.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// For how many minutes each database is tested; the last round is completed
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// The database to test [default: both, one after the other]
    #[arg(long, value_enum)]
    database: Option<Kind>,
    /// The seed that determines the order of the faults [default: a new one for each run]
    #[arg(long)]
    seed: Option<u64>,
    /// The number of instances on PostgreSQL
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=8))]
    instances: u8,
    /// Use the development build
    #[arg(long)]
    debug: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let profile = if options.debug { "debug" } else { "release" };
    build(profile)?;
    let lasts = Duration::try_from_secs_f64(options.minutes * 60.0)?;
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let kinds = match options.database {
        Some(kind) => vec![kind],
        None => vec![Kind::Sqlite, Kind::Postgres],
    };
    let mut tallies = Vec::new();
    for kind in kinds {
        tallies.push((kind, torture(kind, profile, options.instances, lasts, seed)?));
    }
    report::line(&if options.json { as_json(seed, &tallies) } else { as_table(&tallies) });
    verdict(&tallies)
}

/// Adds a short run on each database to a list of steps.
pub(crate) fn add_step(steps: &mut Steps, kinds: &[Kind]) {
    steps.run("torture", || {
        // The third program is built together with the tests.
        service::build()?;
        let seed = fastrand::u64(..);
        let mut tallies = Vec::new();
        for kind in kinds {
            tallies.push((*kind, torture(*kind, "debug", 2, SHORT, seed)?));
        }
        report::line(&as_table(&tallies));
        verdict(&tallies)?;
        Ok(Done::Passed)
    });
}

fn build(profile: &str) -> Result<()> {
    let mut command = cargo::command(&["build", "--quiet", "--bins"]);
    for package in ["contact-hub", "contact-hub-mirror", "contact-hub-tests"] {
        command.args(["--package", package]);
    }
    if profile == "release" {
        command.arg("--release");
    }
    process::run(&mut command)
}

/// Tests one database for this long.
fn torture(
    kind: Kind,
    profile: &str,
    instances: u8,
    lasts: Duration,
    seed: u64,
) -> Result<Arc<Tally>> {
    report::line(&format!("torture of {}, --seed {seed}", kind.name()));
    let runtime = Runtime::new()?;
    let tally = Arc::<Tally>::default();
    let count = if kind == Kind::Sqlite { 1 } else { usize::from(instances) };
    let rig = Rig::start(kind, profile, count, runtime.handle())?;
    let mut rounds = Rounds::prepare(rig, runtime.handle(), seed, Arc::clone(&tally))?;
    let result = all_rounds(&mut rounds, kind, lasts, seed);
    rounds.judge_repeated();
    let mut rig = rounds.into_rig();
    if result.is_err() || !tally.is_clean() {
        rig.keep();
        report::line(&format!("the remaining files are in {}", rig.directory().display()));
    }
    drop(rig);
    // Calls in progress end with it.
    runtime.shutdown_background();
    result.map(|()| tally)
}

fn all_rounds(rounds: &mut Rounds, kind: Kind, lasts: Duration, seed: u64) -> Result<()> {
    let began = Instant::now();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut left = Vec::new();
    while began.elapsed() < lasts {
        ensure!(!process::interrupted(), "interrupted");
        // Every fault occurs once before any is repeated.
        if left.is_empty() {
            left = Fault::all(kind);
            left.retain(|fault| *fault != Fault::DiskFull || rounds.can_fill_disk());
            rng.shuffle(&mut left);
        }
        let Some(fault) = left.pop() else { break };
        report::line(&format!("{:>6.1}s  {fault:?}", began.elapsed().as_secs_f64()));
        rounds.run(fault)?;
    }
    Ok(())
}

fn verdict(tallies: &[(Kind, Arc<Tally>)]) -> Result<()> {
    for (kind, tally) in tallies {
        for violation in tally.violations() {
            report::line(&format!("{}: {violation}", kind.name()));
        }
    }
    ensure!(tallies.iter().all(|(_, tally)| tally.is_clean()), "there were violations");
    Ok(())
}

fn as_json(seed: u64, tallies: &[(Kind, Arc<Tally>)]) -> String {
    let of = |(kind, tally): &(Kind, Arc<Tally>)| {
        let figures = tally.figures().into_iter().map(|(name, value)| (name.to_owned(), value));
        let mut figures: Map<String, Value> = figures.collect();
        figures.insert("violations".to_owned(), json!(tally.violations()));
        (kind.name().to_owned(), Value::Object(figures))
    };
    let databases: Map<String, Value> = tallies.iter().map(of).collect();
    json!({ "seed": seed, "databases": databases }).to_string()
}

/// A Markdown table with a column for each database.
fn as_table(tallies: &[(Kind, Arc<Tally>)]) -> String {
    let columns: Vec<_> = tallies.iter().map(|(_, tally)| tally.figures()).collect();
    let names = tallies.iter().map(|(kind, _)| format!(" {} |", kind.name()));
    let mut lines = vec![
        format!("| |{}", names.collect::<String>()),
        format!("|---|{}", "---:|".repeat(tallies.len())),
    ];
    for (row, (name, _)) in columns.first().into_iter().flatten().enumerate() {
        let cells = columns.iter().filter_map(|column| column.get(row)).map(|(_, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!(" {text} |")
        });
        lines.push(format!("| {name} |{}", cells.collect::<String>()));
    }
    lines.join("\n")
}
