//! A sample for integrators: a copy of a hub's contacts in SQLite, made by an export and kept by the change feed.
//!
//! # Reading order
//!
//! 1. `step` has the three phases: remember the end of the feed, export the contacts, follow the feed.
//! 2. `copy` is the database. A step writes contacts and the place from which to continue in one transaction, so the
//!    program may be killed at any point.
//! 3. `hub` has the calls, and which failures may be repeated.
//!
//! # Never here
//!
//! Nothing of the service: this crate depends on no other crate of the workspace, and uses the interface as
//! `docs/integrating.md` describes it to integrators.

mod contact;
mod copy;
mod hub;
mod step;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;

use crate::copy::Copy;
use crate::hub::{Failure, Hub};

/// The pauses between repeated calls when the hub names none.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Keeps a copy of a hub's contacts in SQLite, until it is stopped.
#[derive(Parser)]
struct Arguments {
    /// The hub's public address
    #[arg(long)]
    url: String,
    /// The copy; created if it does not exist
    #[arg(long)]
    database: PathBuf,
    /// The API key of a user with the permission `contacts_api`
    #[arg(long, env = "CONTACT_HUB_KEY", hide_env_values = true)]
    key: String,
}

fn main() -> Result<()> {
    let Arguments { url, database, key } = Arguments::parse();
    let hub = Hub::new(&url, &key)?;
    let mut copy = Copy::open(&database)?;
    let mut pause = FIRST_PAUSE;
    loop {
        match step::next(&hub, &mut copy) {
            Ok(()) => pause = FIRST_PAUSE,
            Err(Failure::Later { why, after }) => {
                let wait = after.unwrap_or(pause);
                report(&format!("{why}; the next attempt is in {wait:?}"));
                sleep(wait);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(Failure::Expired) => {
                report("the cursor has expired; the contacts are exported again");
                copy.begin_again()?;
            }
            Err(Failure::Invalid(why) | Failure::Refused(why)) => bail!(why),
            Err(Failure::Copy(error)) => return Err(error.into()),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "there is no event to wait for")]
fn sleep(time: Duration) {
    std::thread::sleep(time);
}

#[expect(clippy::print_stderr, reason = "progress is reported there")]
fn report(line: &str) {
    eprintln!("{line}");
}
