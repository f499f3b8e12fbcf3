//! The client programs of PostgreSQL, without the password on their command lines.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::postgres_address::Address;
use crate::tied_program::{self, NOT_STARTED};
use anyhow::{Context as _, Result, bail};

/// How often a running program is checked for cancellation.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How many bytes of a program's messages are kept.
const KEPT: u64 = 4096;

/// A command of a client program, connected to this address if one is given. It ends with this process.
pub(super) fn command(program: &str, address: Option<&Address>) -> Command {
    let mut command = tied_program::command(program);
    command.arg("--no-password").stdin(Stdio::null()).stderr(Stdio::piped());
    if let Some(Address { url, password }) = address {
        command.arg(format!("--dbname={url}"));
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
    }
    command
}

/// Starts a command of a client program.
pub(super) fn start(program: &str, command: &mut Command) -> Result<Child> {
    let failed = |error| anyhow::anyhow!(tied_program::not_started(program, &error));
    command.spawn().map_err(failed)
}

/// Waits for a program, which is killed when the run is cancelled. Its messages are its error.
pub(super) fn finish(program: &str, mut child: Child, cancelled: &AtomicBool) -> Result<()> {
    let mut errors = child.stderr.take().context("the program has no standard error")?;
    let (sender, ended) = channel();
    // It reads until the program has closed its standard error, which is when it has ended.
    std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.by_ref().take(KEPT).read_to_end(&mut text).ok();
        std::io::copy(&mut errors, &mut std::io::sink()).ok();
        sender.send(text).ok();
    });
    let text = loop {
        match ended.recv_timeout(LOOK_EVERY) {
            Ok(text) => break text,
            Err(RecvTimeoutError::Disconnected) => break Vec::new(),
            Err(RecvTimeoutError::Timeout) if cancelled.load(Ordering::Relaxed) => {
                child.kill().ok();
                child.wait().ok();
                bail!("it was cancelled");
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    let status = child.wait()?;
    let messages = String::from_utf8_lossy(&text);
    if status.code() == Some(NOT_STARTED.into()) {
        bail!("{}", messages.trim());
    }
    if !status.success() {
        bail!("{program} failed: {}", advised(&messages));
    }
    Ok(())
}

/// The messages of a program, or what to do where they lead astray: programs before version 16 take `sslrootcert=system` for a
/// file, and recommend not to verify the server.
fn advised(messages: &str) -> &str {
    if messages.contains("root certificate file \"system\" does not exist") {
        return "the client programs of PostgreSQL are older than version 16, which is the first with sslrootcert=system: \
                install newer ones, or name a file with the authorities, such as \
                sslrootcert=/etc/ssl/certs/ca-certificates.crt";
    }
    messages.trim()
}
