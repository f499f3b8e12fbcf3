//! `cargo xtask ci`: all checks for a change in one command, the same on a developer's machine and on a build server.
//! Fast checks come first.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::bench::scale;
use crate::steps::{Done, Steps};
use crate::{
    api, cargo, clients, conformance, deploy, layers, process, report, test, tidy, upgrade,
};

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("fmt", || passes(&mut cargo::command(&["fmt", "--all", "--check"])));
    steps.run("tidy", || tidy::run().map(|()| Done::Passed));
    steps.run("layers", || layers::run().map(|()| Done::Passed));
    deploy::add_steps(&mut steps);
    steps.run("clippy", || passes(&mut clippy()));
    steps.run("doc", || passes(&mut doc()));
    steps.run("packages", || passes(&mut packages()));
    steps.run("deny", deny);
    steps.run("advisories", advisories);
    steps.run("domain-interface", domain_interface);
    steps.run("api", || api::check().map(|()| Done::Passed));
    test::add_steps(&mut steps, &test::Options::default());
    scale::add_steps(&mut steps);
    conformance::add_steps(&mut steps);
    clients::add_steps(&mut steps);
    upgrade::add_step(&mut steps);
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

/// The packages of the crates that a registry gets. They are not built, since that takes minutes; `cargo publish` does it.
fn packages() -> Command {
    let mut command =
        cargo::command(&["package", "--offline", "--locked", "--allow-dirty", "--no-verify"]);
    for name in ["contact-hub-domain", "contact-hub-store-tests", "contact-hub-client"] {
        command.args(["--package", name]);
    }
    command
}

/// Licences, banned crates and sources. Offline, so that the same commit gives the same result.
fn deny() -> Result<Done> {
    if !cargo::has_subcommand("deny") {
        return Ok(Done::Skipped("cargo-deny is not installed".to_owned()));
    }
    passes(&mut cargo::command(&["deny", "--offline", "check", "licenses", "bans", "sources"]))
}

/// The commit whose public interface of the domain is the baseline. A change that breaks it needs a new version of the
/// crate, and records its commit here.
const BASELINE: &str = include_str!("../../.ci/domain-baseline");

/// The public interface of the domain against its baseline.
fn domain_interface() -> Result<Done> {
    if !cargo::has_subcommand("semver-checks") {
        return Ok(Done::Skipped("cargo-semver-checks is not installed".to_owned()));
    }
    let arguments = ["semver-checks", "--package", "contact-hub-domain", "--baseline-rev"];
    passes(cargo::command(&arguments).arg(BASELINE.trim()))
}

/// Known vulnerabilities of the dependencies, from the current database, or without a network from the last copy of it.
fn advisories() -> Result<Done> {
    if !cargo::has_subcommand("deny") {
        return Ok(Done::Skipped(
            "advisories were not checked: cargo-deny is not installed".to_owned(),
        ));
    }
    if !process::succeeds(&mut cargo::command(&["deny", "fetch", "db"])) {
        if !has_advisory_copy() {
            let reason = "advisories were not checked: their list cannot be fetched, and there is no copy of it";
            return Ok(Done::Skipped(reason.to_owned()));
        }
        report::line("the list of advisories cannot be fetched; an older copy is used");
    }
    passes(&mut cargo::command(&["deny", "check", "--disable-fetch", "advisories"]))
}

/// Whether an earlier run has left a copy of the database where cargo-deny keeps it.
fn has_advisory_copy() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let copies = home.and_then(|home| home.join("advisory-dbs").read_dir().ok());
    copies.is_some_and(|mut copies| copies.next().is_some())
}
