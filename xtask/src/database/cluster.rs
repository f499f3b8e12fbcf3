//! The throwaway PostgreSQL as tasks see it: start it, connect to it, drop it.

use std::process::Command;

use anyhow::{Context as _, Result};

use super::account::Account;
use super::binaries::{Binaries, OLDEST};
use super::install;
use super::scratch::{Abandoned, Scratch};
use super::server::{self, Durability, Stop};
use crate::{process, report};

/// A PostgreSQL server of its own, on a free port of the loopback address. Dropping it stops the
/// server and deletes its files.
pub(crate) struct ThrowawayPostgres {
    binaries: Binaries,
    account: Account,
    scratch: Scratch,
    port: u16,
    durability: Durability,
    kept: bool,
}

impl ThrowawayPostgres {
    /// Removes what earlier runs left behind, and starts an empty server, which is installed
    /// first where there is none.
    pub(crate) fn start(durability: Durability) -> Result<Self> {
        let binaries = find_or_install()?;
        remove_abandoned(&binaries)?;
        let account = Account::choose()?;
        let scratch = Scratch::create(account)?;
        // From here on, `drop` stops whatever has been started.
        let mut postgres = Self { binaries, account, scratch, port: 0, durability, kept: false };
        let data = postgres.scratch.data();
        server::create(&postgres.binaries, account, &data)?;
        postgres.port = server::start(&postgres.binaries, account, &data, durability)?;
        let major = postgres.binaries.major();
        report::line(&format!("PostgreSQL {major} runs at {}", postgres.url()));
        Ok(postgres)
    }

    /// The address of its database, for the superuser; it asks for no password.
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

    /// Ends the server; its files stay.
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

    /// Starts the server again where it was.
    pub(crate) fn start_again(&self) -> Result<()> {
        let data = self.scratch.data();
        server::start_at(&self.binaries, self.account, &data, self.durability, self.port)
    }

    /// Leaves it running when dropped; the next start of another one removes it.
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
    Binaries::newest().with_context(|| {
        format!("what was installed is no PostgreSQL of version {OLDEST} or newer")
    })
}

/// Ends and deletes servers whose task is gone. One that resists is no reason not to start.
fn remove_abandoned(binaries: &Binaries) -> Result<()> {
    for abandoned in Abandoned::all()? {
        match remove(binaries, &abandoned) {
            Ok(()) => report::line("removed a PostgreSQL that an earlier run had left behind"),
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
