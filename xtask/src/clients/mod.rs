//! `cargo xtask clients`: the clients in other languages are current, work with a running hub, and can be packed.
//!
//! Reading order: `workshop` has what both need, `typescript` and `python` run each language's own tools. Without these
//! tools, or without the registry of their packages, a step is skipped with a message.

mod python;
mod typescript;
mod workshop;

use anyhow::Result;
use clap::Args;

use self::workshop::{Mode, Workshop};
use crate::steps::Steps;

/// What to do.
#[derive(Args)]
pub(crate) struct Options {
    /// Write the generated files of the clients from the OpenAPI document of this checkout
    #[arg(long)]
    renew: bool,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::default();
    add(&mut steps, if options.renew { Mode::Renew } else { Mode::Check });
    steps.finish()
}

/// Adds one step for each client.
pub(crate) fn add_steps(steps: &mut Steps) {
    add(steps, Mode::Check);
}

fn add(steps: &mut Steps, mode: Mode) {
    steps.run("client in TypeScript", || typescript::run(&mut Workshop::open()?, mode));
    steps.run("client in Python", || python::run(&mut Workshop::open()?, mode));
}
