//! A running service for tasks that call it: started with limits off, killed when it is dropped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result};

use crate::{cargo, process};

/// 32 bytes in base64.
const MASTER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Writes a file with a master key in this directory; returns its path.
pub(crate) fn write_key_file(directory: &Path) -> Result<PathBuf> {
    let file = directory.join("hub.key");
    std::fs::write(&file, MASTER_KEY)?;
    Ok(file)
}

/// Builds the service and the sample mirror in `target/debug`. Always both: cargo chooses the features of dependencies for
/// all packages of a command, so one after the other would compile most dependencies of the mirror twice.
pub(crate) fn build() -> Result<()> {
    let packages = ["--package", "contact-hub", "--package", "contact-hub-mirror"];
    process::run(cargo::command(&["build", "--quiet"]).args(packages))
}

/// The program in `target/<profile>`.
pub(crate) fn built(profile: &str) -> PathBuf {
    cargo::workspace_root().join(format!("target/{profile}/contact-hub"))
}

/// A running service.
pub(crate) struct Service {
    child: Child,
    /// Its address, such as `http://127.0.0.1:40123`.
    pub(crate) base: String,
    /// Kept open, since the service may print more.
    out: BufReader<ChildStdout>,
}

impl Service {
    /// Starts a program on an empty database, with additional flags; also returns its first key.
    pub(crate) fn on_empty(
        program: &Path,
        directory: &Path,
        database: &str,
        flags: &[&str],
    ) -> Result<(Self, String)> {
        let flags = [&["--log", "off"], flags].concat();
        let mut service = Self::start(program, directory, database, &flags)?;
        let key = read_key(&mut service.out)?;
        Ok((service, key))
    }

    /// Starts a program on a filled database, with additional flags.
    pub(crate) fn on_filled(
        program: &Path,
        directory: &Path,
        database: &str,
        flags: &[&str],
    ) -> Result<Self> {
        Self::start(program, directory, database, &[&["--no-bootstrap"], flags].concat())
    }

    /// Its peak resident memory so far, in megabytes.
    pub(crate) fn peak_megabytes(&self) -> Result<f64> {
        process::peak_megabytes(&self.child.id().to_string())
    }

    fn start(program: &Path, directory: &Path, database: &str, flags: &[&str]) -> Result<Self> {
        let key_file = write_key_file(directory)?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--database-url", database]);
        command
            .arg("--secret-key-file")
            .arg(&key_file)
            .args(flags)
            // Flags take precedence.
            .env("CONTACT_HUB_RATE_LIMIT_STANDARD", "0")
            .env("CONTACT_HUB_RATE_LIMIT_BULK", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().context("the service does not start")?;
        let mut out = BufReader::new(child.stdout.take().context("the service has no output")?);
        match read_address(&mut out) {
            Ok(base) => Ok(Self { child, base, out }),
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// A service that has already ended need not be killed.
fn end(child: &mut Child) {
    child.kill().ok();
    child.wait().ok();
}

/// The first line contains the address.
fn read_address(out: &mut impl BufRead) -> Result<String> {
    read_after(out, "listening on ").context("the service ended before it listened")
}

/// A later line contains the key.
fn read_key(out: &mut impl BufRead) -> Result<String> {
    read_after(out, "API key").context("the service ended before it printed its key")
}

/// The rest of the first line that begins like this.
fn read_after(out: &mut impl BufRead, beginning: &str) -> Result<String> {
    let mut line = String::new();
    while out.read_line(&mut line)? > 0 {
        if let Some(rest) = line.trim().strip_prefix(beginning) {
            return Ok(rest.trim().to_owned());
        }
        line.clear();
    }
    anyhow::bail!("no line begins with \"{beginning}\"")
}
