//! `cargo xtask ci`: everything that a change has to pass, in one command, the same on a
//! developer's machine as on a build server. What is quick comes first.

use std::process::Command;

use anyhow::Result;

use crate::steps::{Done, Steps};
use crate::{cargo, conformance, layers, process, test, tidy};

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("fmt", || passes(&mut cargo::command(&["fmt", "--all", "--check"])));
    steps.run("tidy", || tidy::run().map(|()| Done::Passed));
    steps.run("layers", || layers::run().map(|()| Done::Passed));
    steps.run("clippy", || passes(&mut clippy()));
    steps.run("doc", || passes(&mut doc()));
    steps.run("deny", deny);
    test::add_steps(&mut steps, &test::Options::default());
    conformance::add_steps(&mut steps);
    steps.finish()
}

fn passes(command: &mut Command) -> Result<Done> {
    process::run(command)?;
    Ok(Done::Passed)
}

fn clippy() -> Command {
    cargo::command(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn doc() -> Command {
    let mut command =
        cargo::command(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// Licences, banned crates and sources. Offline: known weaknesses change by the day and are
/// asked for elsewhere, so that the same commit gives the same result.
fn deny() -> Result<Done> {
    if !cargo::has_subcommand("deny") {
        return Ok(Done::Skipped("cargo-deny is not installed".to_owned()));
    }
    passes(&mut cargo::command(&["deny", "--offline", "check", "licenses", "bans", "sources"]))
}
