//! Checks the running service against its own OpenAPI document: schemathesis generates requests from it, on both
//! databases.
//!
//! Schemathesis is a Python program. It is installed into a virtual environment below `target`, so nothing else on
//! the machine changes. Without Python, or without the package index, the step is skipped with a message.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::database::{Durability, ThrowawayPostgres};
use crate::service::{self, Service, built};
use crate::steps::{Done, Steps};
use crate::{cargo, process};

/// The version that defines the checks.
const PACKAGE: &str = "schemathesis>=4,<5";

/// The checks of every answer. Whether data is acceptable depends on the company's fields, which a schema does not
/// know, so acceptance is not checked.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
     response_schema_conformance,response_headers_conformance,unsupported_method,ignored_auth";

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_steps(&mut steps);
    steps.finish()
}

/// Adds one step for each database.
pub(crate) fn add_steps(steps: &mut Steps) {
    steps.run("conformance on SQLite", || {
        let directory = tempfile::tempdir()?;
        let database = format!("sqlite://{}", directory.path().join("hub.db").display());
        check(directory.path(), &database)
    });
    steps.run("conformance on PostgreSQL", || {
        let directory = tempfile::tempdir()?;
        let postgres = ThrowawayPostgres::start(Durability::InMemory)?;
        check(directory.path(), &postgres.url())
    });
}

fn check(directory: &Path, database: &str) -> Result<Done> {
    let Some(program) = schemathesis() else {
        return Ok(Done::Skipped("schemathesis cannot be installed".to_owned()));
    };
    service::build()?;
    let (service, key) = Service::on_empty(&built("debug"), directory, database, &[])?;
    let document = format!("{}/openapi.json", service.base);
    let header = format!("Authorization: Bearer {key}");
    let mut command = Command::new(program);
    command.args(["run", &document, "--header", &header, "--checks", CHECKS]);
    command.args(["--max-examples", "30", "--generation-database", "none"]);
    // A call of the change feed may ask to be held for 30 seconds.
    command.args(["--request-timeout", "40"]);
    command.current_dir(directory);
    process::run(&mut command)?;
    Ok(Done::Passed)
}

/// The program, installed if necessary.
fn schemathesis() -> Option<PathBuf> {
    let environment = cargo::workspace_root().join("target/schemathesis");
    let program = environment.join("bin/schemathesis");
    let installed = program.exists()
        || (process::run(Command::new("python3").args(["-m", "venv"]).arg(&environment)).is_ok()
            && process::run(
                Command::new(environment.join("bin/pip")).args(["install", "--quiet", PACKAGE]),
            )
            .is_ok());
    installed.then_some(program)
}
