//! Instances of one service, of different programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::instance::Instance;
use crate::process;
use crate::service::write_key_file;

/// An instance must end within this time of SIGTERM.
const ENDS_WITHIN: Duration = Duration::from_secs(40);

/// The running instances, the oldest first.
pub(super) struct Fleet {
    instances: Vec<Instance>,
    database: String,
    key_file: String,
    log: PathBuf,
}

impl Fleet {
    /// No instance yet, on this database.
    pub(super) fn new(directory: &Path, database: &str) -> Result<Self> {
        let key_file = write_key_file(directory)?.display().to_string();
        let log = directory.join("log");
        Ok(Self { instances: Vec::new(), database: database.to_owned(), key_file, log })
    }

    /// Starts an instance of a program.
    pub(super) fn start(&mut self, program: &Path) -> Result<()> {
        let flags = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--database-url",
            &self.database,
            "--secret-key-file",
            &self.key_file,
            "--log",
            "warn",
            "--rate-limit-standard",
            "0",
            "--rate-limit-pages",
            "0",
            "--shutdown-delay-ms",
            "1000",
            "--webhook-allow-http",
            "--webhook-allow-network",
            "127.0.0.0/8",
        ];
        let flags: Vec<String> = flags.map(str::to_owned).to_vec();
        self.instances.push(Instance::start(program, &flags, &self.log)?);
        Ok(())
    }

    /// The key that the first instance printed.
    pub(super) fn first_key(&self) -> Result<String> {
        self.instances.first().context("no instance")?.line_after("API key")
    }

    /// Applies the migrations of a program; returns what it prints.
    pub(super) fn migrate(&self, program: &Path) -> Result<String> {
        let mut command = Command::new(program);
        let printed =
            process::capture(command.args(["migrate", "--database-url", &self.database]))?;
        Ok(printed.trim().to_owned())
    }

    /// The addresses of the instances.
    pub(super) fn bases(&self) -> Vec<String> {
        self.instances.iter().map(|instance| instance.base.clone()).collect()
    }

    /// Stops the oldest instance, which must finish what it does.
    pub(super) fn stop_oldest(&mut self) -> Result<()> {
        self.instances.remove(0).terminate(ENDS_WITHIN)
    }
}
