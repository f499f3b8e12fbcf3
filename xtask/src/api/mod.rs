//! `cargo xtask api`: the interface keeps its promise (docs/api-promise.md).
//!
//! The OpenAPI document of the last release is the baseline. A change that breaks a client of that release is an error.
//! Reading order: `baseline` has the two documents, `comparison` compares them, `schema` compares what is inside, and
//! `ending` knows which operations may be removed.

mod baseline;
mod comparison;
mod date;
mod ending;
mod schema;
mod shape;

use anyhow::{Result, bail};
use clap::Args;

pub(crate) use self::baseline::document;
use self::date::Date;
use crate::report;

/// What to do.
#[derive(Args)]
pub(crate) struct Options {
    /// Make the document of this checkout the baseline, as part of a release
    #[arg(long)]
    renew: bool,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.renew { baseline::renew() } else { check() }
}

/// Fails when the document breaks a client of the baseline.
pub(crate) fn check() -> Result<()> {
    let found = comparison::breaks(&baseline::read()?, &baseline::current()?, Date::today()?);
    if found.is_empty() {
        return Ok(());
    }
    for line in &found {
        report::line(line);
    }
    let what = match found.len() {
        1 => "1 change breaks".to_owned(),
        count => format!("{count} changes break"),
    };
    bail!("{what} clients of the last release; see docs/api-promise.md")
}
