//! The interface of the throwaway PostgreSQL for tasks: start it, connect to it, drop it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::account::Account;
use super::binaries::{Binaries, OLDEST};
use super::install;
use super::scratch::{Abandoned, Scratch};
use super::server::{self, Durability, Stop};
use crate::{process, report};

/// Keeps the write-ahead log small.
const LITTLE_LOG: [&str; 3] =
    ["max_wal_size = '64MB'", "min_wal_size = '32MB'", "wal_recycle = off"];

/// A separate PostgreSQL server, on a free port of the loopback address. Dropping it stops the server and deletes its
/// files.
pub(crate) struct ThrowawayPostgres {
    binaries: Binaries,
    account: Account,
    scratch: Scratch,
    port: u16,
    durability: Durability,
    kept: bool,
}

impl ThrowawayPostgres {
    /// Removes the servers of earlier runs, and starts an empty server; PostgreSQL is installed first if necessary.
    pub(crate) fn start(durability: Durability) -> Result<Self> {
        let binaries = find_or_install()?;
        remove_abandoned(&binaries)?;
        let account = Account::choose()?;
        let scratch = Scratch::create(account, durability)?;
        // From here on, `drop` stops a server that was started.
        let mut postgres = Self { binaries, account, scratch, port: 0, durability, kept: false };
        let data = postgres.scratch.data();
        server::create(&postgres.binaries, account, &data)?;
        postgres.port = server::start(&postgres.binaries, account, &data, durability)?;
        let major = postgres.binaries.major();
        report::line(&format!("PostgreSQL {major} runs at {}", postgres.url()));
        Ok(postgres)
    }

    /// Starts a replica of it; `None` when the program that copies a server is not installed.
    pub(crate) fn standby(&self) -> Result<Option<Self>> {
        let (binaries, account) = (self.binaries.clone(), self.account);
        if !binaries.program(server::COPIES).is_file() {
            return Ok(None);
        }
        let durability = self.durability;
        let scratch = Scratch::create(account, durability)?;
        let mut standby = Self { binaries, account, scratch, port: 0, durability, kept: false };
        let data = standby.scratch.data();
        server::copy(&standby.binaries, account, self.port, &data)?;
        standby.port = server::start(&standby.binaries, account, &data, durability)?;
        report::line(&format!("a replica runs at {}", standby.url()));
        Ok(Some(standby))
    }

    /// The address of its database for the superuser, without a password.
    pub(crate) fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// The address of another of its databases.
    pub(crate) fn url_of(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// A program of the same PostgreSQL, such as `psql`.
    pub(crate) fn client_program(&self, name: &str) -> Command {
        Command::new(self.binaries.program(name))
    }

    /// Runs SQL in one of its databases; returns the values of the rows, each row on a line.
    pub(crate) fn sql(&self, database: &str, text: &str) -> Result<String> {
        let mut command = self.client_program("psql");
        command.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--command", text]);
        process::capture(
            command.args(["--set=ON_ERROR_STOP=1", "--dbname"]).arg(self.url_of(database)),
        )
    }

    /// Stops the server; its files remain.
    pub(crate) fn stop(&self, how: Stop) -> Result<()> {
        server::stop(&self.binaries, self.account, &self.scratch.data(), how)
    }

    /// The port on which it listens.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// The ids of its processes, the main one first.
    pub(crate) fn processes(&self) -> Result<Vec<String>> {
        server::processes(&self.scratch.data())
    }

    /// Starts the server again on the same port and data.
    pub(crate) fn start_again(&self) -> Result<()> {
        let data = self.scratch.data();
        server::start_at(&self.binaries, self.account, &data, self.durability, self.port)
    }

    /// Moves the write-ahead log and the files of the database `postgres` to another place, such as a separate disk.
    pub(crate) fn move_to(&self, place: &Path) -> Result<()> {
        let (tables, log) = (place.join("tables"), place.join("log"));
        for directory in [place, &tables, &log] {
            std::fs::create_dir_all(directory)?;
            self.account.take(directory)?;
        }
        self.sql("template1", &format!("CREATE TABLESPACE apart LOCATION '{}'", tables.display()))?;
        self.sql("template1", "ALTER DATABASE postgres SET TABLESPACE apart")?;
        for setting in LITTLE_LOG {
            self.sql("template1", &format!("ALTER SYSTEM SET {setting}"))?;
        }
        self.stop(Stop::Fast)?;
        let old = self.scratch.data().join("pg_wal");
        let mut copy = self.account.command("cp");
        process::capture(copy.arg("-a").arg(old.join(".")).arg(&log))?;
        std::fs::remove_dir_all(&old)?;
        std::os::unix::fs::symlink(&log, &old)?;
        self.start_again()
    }

    /// Whether it runs and answers.
    pub(crate) fn answers(&self) -> bool {
        self.sql("postgres", "SELECT 1").is_ok()
    }

    /// Keeps it running when this is dropped; the next start of another one removes it.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
        self.scratch.keep();
    }
}

impl Drop for ThrowawayPostgres {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        // The files are deleted when `scratch` is dropped, right after this.
        if let Err(error) =
            server::stop(&self.binaries, self.account, &self.scratch.data(), Stop::Immediate)
        {
            report::line(&format!("warning: {error:#}"));
        }
    }
}

fn find_or_install() -> Result<Binaries> {
    if let Some(binaries) = Binaries::newest() {
        return Ok(binaries);
    }
    install::install()?;
    Binaries::newest()
        .with_context(|| format!("the installed PostgreSQL is older than version {OLDEST}"))
}

/// Stops and deletes servers whose task has ended. A failure to do so is ignored.
fn remove_abandoned(binaries: &Binaries) -> Result<()> {
    for abandoned in Abandoned::all()? {
        match remove(binaries, &abandoned) {
            Ok(()) => report::line("removed a PostgreSQL of an earlier run"),
            Err(error) => report::line(&format!("warning: {error:#}")),
        }
    }
    Ok(())
}

fn remove(binaries: &Binaries, abandoned: &Abandoned) -> Result<()> {
    let data = abandoned.data();
    if data.exists() {
        server::stop(binaries, Account::owning(&data)?, &data, Stop::Immediate)?;
    }
    abandoned.remove()
}
