//! Creates, starts and stops a PostgreSQL server with its own programs.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::account::Account;
use super::binaries::Binaries;
use crate::process;

/// How often another port is tried when the chosen one has been taken.
const PORT_ATTEMPTS: u32 = 5;

/// Settings of every throwaway server. It listens on the loopback address only.
const SETTINGS: [&str; 4] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=400",
    "shared_buffers=256MB",
];

/// Settings for speed; a power cut loses data.
const CARELESS: [&str; 3] = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/// Whether a server waits until its writes are on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It does not: fast, but a power cut loses data.
    Throwaway,
    /// It does not, and its files are in memory where there is room: for tests, which make and drop hundreds of databases.
    InMemory,
    /// It does, as in production: for measurements.
    Durable,
}

/// Creates the files of an empty cluster. It trusts every connection: those of the machine's users, for the time of a
/// run.
pub(crate) fn create(binaries: &Binaries, account: Account, data: &Path) -> Result<()> {
    let mut command = account.command(binaries.program("initdb"));
    command.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
    process::capture(command.arg("--no-sync").arg("--pgdata").arg(data))
        .context("cannot create a PostgreSQL cluster")
        .map(drop)
}

/// The program that copies a running server.
pub(crate) const COPIES: &str = "pg_basebackup";

/// Creates the files of a replica of the server on this port, which follows it once it is started.
pub(crate) fn copy(binaries: &Binaries, account: Account, port: u16, data: &Path) -> Result<()> {
    let mut command = account.command(binaries.program(COPIES));
    command.args(["--host=127.0.0.1", "--username=postgres", "--write-recovery-conf"]);
    command.args(["--checkpoint=fast", "--wal-method=stream", "--no-sync"]);
    command.arg(format!("--port={port}")).arg("--pgdata").arg(data);
    process::capture(&mut command).context("cannot copy PostgreSQL")?;
    fs::remove_file(data.join("server.log")).context("cannot remove the copied log")
}

/// Starts the server on a port that was just found free, waits until it answers, and returns the port.
pub(crate) fn start(
    binaries: &Binaries,
    account: Account,
    data: &Path,
    durability: Durability,
) -> Result<u16> {
    let log = data.join("server.log");
    for _ in 0..PORT_ATTEMPTS {
        let port = free_port()?;
        let Err(error) = start_at(binaries, account, data, durability, port) else {
            return Ok(port);
        };
        let said = fs::read_to_string(&log).unwrap_or_default();
        if !said.contains("could not create any TCP/IP sockets") {
            bail!("cannot start PostgreSQL: {error:#}\n{said}");
        }
        fs::remove_file(&log).context("cannot remove the server's log")?;
    }
    bail!("cannot start PostgreSQL: {PORT_ATTEMPTS} free ports were taken one after the other")
}

/// Starts the server on this port and waits until it answers.
pub(crate) fn start_at(
    binaries: &Binaries,
    account: Account,
    data: &Path,
    durability: Durability,
    port: u16,
) -> Result<()> {
    let mut command = account.command(binaries.program("pg_ctl"));
    command.arg("start").arg("--pgdata").arg(data).arg("--log").arg(data.join("server.log"));
    command.args(["--wait", "--timeout=120", "--options", &options(port, durability)]);
    process::capture(&mut command).map(drop)
}

/// How a server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Without saving anything, like a power cut.
    Immediate,
    /// Connections are closed, and everything is saved.
    Fast,
}

/// Stops the server and waits for its end. A server that is not running is no error.
pub(crate) fn stop(binaries: &Binaries, account: Account, data: &Path, how: Stop) -> Result<()> {
    if !is_running(data) {
        return Ok(());
    }
    let mode = match how {
        Stop::Immediate => "--mode=immediate",
        Stop::Fast => "--mode=fast",
    };
    let mut command = account.command(binaries.program("pg_ctl"));
    command.args(["stop", mode, "--wait", "--timeout=60", "--pgdata"]).arg(data);
    process::capture(&mut command).context("cannot stop PostgreSQL").map(drop)
}

/// The process ids of a running server, the main process first.
pub(crate) fn processes(data: &Path) -> Result<Vec<String>> {
    let file = fs::read_to_string(data.join("postmaster.pid")).context("the server is stopped")?;
    let main = file.lines().next().context("the server has no process id")?.trim().to_owned();
    let children = fs::read_to_string(format!("/proc/{main}/task/{main}/children"))
        .context("the system does not list the processes of another one")?;
    let children = children.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    Ok(std::iter::once(main).chain(children).collect())
}

/// Whether a server runs on this data. Its process id may have been reused; where the system shows working
/// directories, only a process that works in the data directory counts.
fn is_running(data: &Path) -> bool {
    let Ok(file) = fs::read_to_string(data.join("postmaster.pid")) else {
        return false;
    };
    let Some(id) = file.lines().next() else {
        return false;
    };
    if !Path::new("/proc/self/cwd").exists() {
        return true;
    }
    let works_in = fs::read_link(format!("/proc/{}/cwd", id.trim()));
    works_in.is_ok_and(|directory| data.canonicalize().is_ok_and(|data| data == directory))
}

/// The command line of the server.
fn options(port: u16, durability: Durability) -> String {
    let careless: &[&str] = match durability {
        Durability::Throwaway | Durability::InMemory => &CARELESS,
        Durability::Durable => &[],
    };
    let settings = SETTINGS.iter().chain(careless).map(|setting| format!(" -c {setting}"));
    format!("-p {port}{}", settings.collect::<String>())
}

/// A port that the operating system reports as free.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("cannot find a free port")?;
    Ok(listener.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_durable_server_waits_for_the_disk() {
        assert!(options(1, Durability::Throwaway).contains("-c fsync=off"));
        assert!(options(1, Durability::InMemory).contains("-c fsync=off"));
        assert!(!options(1, Durability::Durable).contains("fsync"));
        assert!(options(5433, Durability::Durable).starts_with("-p 5433 -c listen_addresses="));
    }

    #[test]
    fn data_without_a_server_is_not_running() {
        let data = tempfile::tempdir().unwrap();
        assert!(!is_running(data.path()));
        // This program has a process id, but another working directory.
        fs::write(data.path().join("postmaster.pid"), std::process::id().to_string()).unwrap();
        assert_eq!(is_running(data.path()), !Path::new("/proc/self/cwd").exists());
    }
}
