//! Attacks: clients that try to overload the service, one attack at a time on a fresh process. The service's peak
//! memory and the effect on others are measured: on the liveness probe and on a client of another company.
//!
//! Every attack is bounded in calls and in time. The service has its default limits, except where an attack is about
//! something else.

mod attack_result;
mod calls;
mod kinds;
mod slow;
mod target;
mod watch;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use tokio::runtime::Builder;

use self::attack_result::AttackResult;
use self::kinds::Attack;
use self::target::Target;
use self::watch::Watch;
use crate::database::{Durability, ThrowawayPostgres};
use crate::{cargo, process, report};

/// How many file descriptors this program needs for the clients of an attack.
const DESCRIPTORS: &str = "--nofile=8192:";

/// How long the liveness probe is measured before an attack.
const ALONE: Duration = Duration::from_secs(1);

/// Options of the attacks.
#[derive(clap::Args)]
pub(crate) struct AttackOptions {
    /// Use PostgreSQL instead of SQLite
    #[arg(long)]
    postgres: bool,
    /// The program that is attacked [default: the release build]
    #[arg(long)]
    program: Option<PathBuf>,
    /// The maximum duration of an attack, in seconds
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How many sign-ins are attempted
    #[arg(long, default_value_t = 20_000)]
    sign_ins: u32,
    /// How many contacts there are to search
    #[arg(long, default_value_t = 50_000)]
    contacts: u32,
    /// Run only the attacks whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Measures every attack; returns a table, or one JSON object.
pub(crate) fn measure(options: &AttackOptions) -> Result<String> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => built()?,
    };
    let id = std::process::id().to_string();
    process::succeeds(Command::new("prlimit").args(["--pid", &id, DESCRIPTORS]));
    let postgres = options.postgres.then(|| ThrowawayPostgres::start(Durability::Durable));
    let postgres = postgres.transpose()?;
    let runtime =
        Builder::new_multi_thread().enable_all().on_thread_start(lower_priority).build()?;
    let mut results = Vec::new();
    for attack in Attack::ALL.into_iter().filter(|it| it.name().contains(&options.only)) {
        report::line(&format!("attack: {}", attack.name()));
        let database = format!("{attack:?}").to_lowercase();
        let server = postgres.as_ref().map(|postgres| (postgres, database.as_str()));
        results.push(runtime.block_on(one(attack, &program, server, options))?);
    }
    Ok(if options.json { attack_result::json(&results) } else { attack_result::text(&results) })
}

/// Gives the calling thread, which runs the attack's clients, the lowest priority. They would be on other machines:
/// here they get only the processor time that the service leaves.
#[cfg(target_os = "linux")]
fn lower_priority() {
    use rustix::{process, thread};

    process::setpriority_process(Some(thread::gettid()), 19).ok();
}

#[cfg(not(target_os = "linux"))]
const fn lower_priority() {}

/// The release build of the service.
fn built() -> Result<PathBuf> {
    let build = ["build", "--release", "--quiet", "--package=contact-hub"];
    process::run(&mut cargo::command(&build))?;
    Ok(cargo::workspace_root().join("target/release/contact-hub"))
}

async fn one(
    attack: Attack,
    program: &Path,
    server: Option<(&ThrowawayPostgres, &str)>,
    options: &AttackOptions,
) -> Result<AttackResult> {
    let (target, session) = Target::start(program, server, attack.flags()).await?;
    let prepared = attack.prepare(&target, options.contacts).await?;
    let before = target.peak_megabytes()?;
    let watch = Watch::start(&target);
    tokio::time::sleep(ALONE).await;
    let (alone, _) = watch.stop()?;
    let watch = Watch::start(&target);
    let lasts = Duration::from_secs(options.seconds);
    let calls = attack.calls(options.sign_ins);
    let found = attack.run(&target, &session, &prepared, calls, lasts).await;
    let (liveness, other) = watch.stop()?;
    let (peak, (found, is_right)) = (target.peak_megabytes()?, found?);
    let attack = attack.name();
    Ok(AttackResult { attack, before, peak, alone, liveness, other, found, is_right })
}
