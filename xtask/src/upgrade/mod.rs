//! `cargo xtask upgrade`: the previous program and the new one serve side by side on one PostgreSQL under load, from
//! before the migrations until the old one is gone. No call may fail, and nothing acknowledged may be lost.

mod fleet;
mod programs;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;
use tokio::runtime::Runtime;

use self::fleet::Fleet;
use self::programs::Programs;
use crate::database::{Durability, ThrowawayPostgres};
use crate::load::{EMAILS, Load, Outcome};
use crate::report;
use crate::steps::{Done, Steps};
use crate::torture::{Manner, Receiver};

/// How many clients call the instances.
const CLIENTS: usize = 8;

/// How long the last events may take to arrive.
const DELIVERED_WITHIN: Duration = Duration::from_mins(1);

/// Options of the upgrade.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The tag or commit of the previous program
    #[arg(long)]
    from: String,
    /// How many seconds each stage lasts
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Use development builds
    #[arg(long)]
    debug: bool,
}

/// How many seconds each stage of a step lasts.
const STEP_SECONDS: u64 = 5;

/// Adds the upgrade from the last release to a list of steps.
pub(crate) fn add_step(steps: &mut Steps) {
    const NAME: &str = "upgrade";
    match programs::last_release() {
        Some(from) => {
            let options = Options { from, seconds: STEP_SECONDS, debug: true };
            steps.run(NAME, || run(&options).map(|()| Done::Passed));
        }
        None => steps.skip(NAME, "there is no release with a tag"),
    }
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let programs = Programs::build(&options.from, options.debug)?;
    let postgres = ThrowawayPostgres::start(Durability::Durable)?;
    let (runtime, directory) = (Runtime::new()?, tempfile::tempdir()?);
    let receiver = runtime.block_on(Receiver::start("", Manner::Healthy))?;
    let mut fleet = Fleet::new(directory.path(), &postgres.url())?;
    fleet.start(&programs.old)?;
    let key = fleet.first_key()?;
    fleet.start(&programs.old)?;
    subscribe(&runtime, &fleet, &key, &receiver.url())?;
    let load = Load::start(&runtime, &key, &fleet.bases(), CLIENTS)?;
    let stage = |what: &str| {
        report::line(&format!("{what}: {} contacts so far", load.created().len()));
        runtime.block_on(async { tokio::time::sleep(Duration::from_secs(options.seconds)).await });
    };
    stage("the old program serves");
    let applied = fleet.migrate(&programs.new)?;
    stage(&format!("the new program has migrated ({applied}), and the old one serves"));
    for _ in 0..2 {
        fleet.start(&programs.new)?;
        load.aim(&fleet.bases());
    }
    stage("both serve");
    for _ in 0..2 {
        let bases: Vec<String> = fleet.bases().into_iter().skip(1).collect();
        load.aim(&bases);
        fleet.stop_oldest()?;
    }
    stage("the new program serves alone");
    let outcome = load.stop(&runtime)?;
    judge(&runtime, &postgres, &outcome, &receiver)
}

/// Lets changes of contacts be sent to the receiver.
fn subscribe(runtime: &Runtime, fleet: &Fleet, key: &str, url: &str) -> Result<()> {
    let base = fleet.bases().into_iter().next().context("no instance")?;
    let webhook = json!({"name": "Load", "url": url, "events": ["contactsChanged"]});
    let http = reqwest::Client::builder().no_proxy().build()?;
    let request = http.post(format!("{base}/api/manage/v1/webhooks")).bearer_auth(key);
    let status = runtime.block_on(async { request.json(&webhook).send().await })?.status();
    ensure!(status.as_u16() == 201, "the webhook is not created: {status}");
    Ok(())
}

fn judge(
    runtime: &Runtime,
    postgres: &ThrowawayPostgres,
    outcome: &Outcome,
    receiver: &Receiver,
) -> Result<()> {
    let (created, began) = (outcome.created.len(), Instant::now());
    let kept =
        format!("SELECT email FROM contacts WHERE email LIKE '{EMAILS}%' AND deleted_at IS NULL");
    let kept = postgres.sql("postgres", &kept)?;
    let kept: BTreeSet<&str> = kept.lines().map(str::trim).collect();
    let lost = outcome.created.iter().filter(|it| !kept.contains(it.email.as_str())).count();
    let announced = loop {
        let count = "SELECT count(DISTINCT contact_id) || ' ' || (SELECT count(*) FROM deliveries \
             WHERE state <> 'succeeded') FROM event_contacts";
        let text = postgres.sql("postgres", count)?;
        let (announced, open) = text.trim().split_once(' ').context("two numbers")?;
        let announced: usize = announced.parse()?;
        if announced >= created && open == "0" {
            break announced;
        }
        if began.elapsed() > DELIVERED_WITHIN {
            bail!(
                "{announced} of {created} contacts were announced, and {open} deliveries are open"
            );
        }
        runtime.block_on(async { tokio::time::sleep(Duration::from_millis(200)).await });
    };
    report::line(&format!(
        "{created} contacts created, {} lists and pages read, {announced} contacts announced in {} deliveries: {} errors, \
         {lost} lost",
        outcome.reads,
        receiver.unsigned(),
        outcome.failed,
    ));
    ensure!(outcome.failed == 0, "calls failed: {}", outcome.failures.join("; "));
    ensure!(lost == 0, "{lost} acknowledged contacts are lost");
    ensure!(created > 0 && receiver.unsigned() > 0, "there was no load");
    Ok(())
}
