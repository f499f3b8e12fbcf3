//! Holds the running service against its own OpenAPI document: schemathesis makes up requests from it, on both databases.
//!
//! Schemathesis is a Python program. It is installed into a virtual environment below `target`, so nothing else of the
//! machine is touched; without Python, or without the package index, the step is skipped and says so.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result};

use crate::database::{Durability, ThrowawayPostgres};
use crate::steps::{Done, Steps};
use crate::{cargo, process};

/// The version whose checks these are.
const PACKAGE: &str = "schemathesis>=4,<5";

/// What must hold of every answer. Whether data is acceptable depends on the company's fields, which a schema does not
/// know, so acceptance is not among them.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
     response_schema_conformance,unsupported_method,ignored_auth";

/// 32 bytes in base64, for services on PostgreSQL.
const MASTER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

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
        let postgres = ThrowawayPostgres::start(Durability::Throwaway)?;
        check(directory.path(), &postgres.url())
    });
}

fn check(directory: &Path, database: &str) -> Result<Done> {
    let Some(program) = schemathesis() else {
        return Ok(Done::Skipped("schemathesis cannot be installed".to_owned()));
    };
    process::run(&mut cargo::command(&["build", "--quiet", "--package", "contact-hub"]))?;
    let service = Service::start(directory, database)?;
    let document = format!("{}/openapi.json", service.base);
    let header = format!("Authorization: Bearer {}", service.key);
    let mut command = Command::new(program);
    command.args(["run", &document, "--header", &header, "--checks", CHECKS]);
    command.args(["--max-examples", "30", "--generation-database", "none"]);
    command.current_dir(directory);
    process::run(&mut command)?;
    Ok(Done::Passed)
}

/// The program, installed if need be.
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

/// A service with limits off; killed when it is dropped.
struct Service {
    child: Child,
    base: String,
    key: String,
    /// Kept open, since a service may print more.
    out: Option<BufReader<ChildStdout>>,
}

impl Service {
    fn start(directory: &Path, database: &str) -> Result<Self> {
        let key_file = directory.join("hub.key");
        std::fs::write(&key_file, MASTER_KEY)?;
        let mut command = Command::new(cargo::workspace_root().join("target/debug/contact-hub"));
        command.args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log",
            "off",
            "--database-url",
            database,
        ]);
        command.args(["--rate-limit-standard", "0", "--rate-limit-bulk", "0", "--secret-key-file"]);
        let child = command
            .arg(&key_file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the service does not start")?;
        let mut service = Self { child, base: String::new(), key: String::new(), out: None };
        service.read_start()?;
        Ok(service)
    }

    /// The first line tells the address, a later one the key.
    fn read_start(&mut self) -> Result<()> {
        let out = self.child.stdout.take().context("the service has no output")?;
        let mut out = BufReader::new(out);
        let mut line = String::new();
        while out.read_line(&mut line)? > 0 {
            let text = std::mem::take(&mut line);
            let line = text.trim_end();
            if let Some(base) = line.strip_prefix("listening on ") {
                base.clone_into(&mut self.base);
            } else if let Some(key) = line.trim().strip_prefix("API key") {
                key.trim().clone_into(&mut self.key);
                self.out = Some(out);
                return Ok(());
            }
        }
        anyhow::bail!("the service ended before it told its key")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // A service that has ended already needs no killing.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
