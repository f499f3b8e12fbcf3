//! The client programs of PostgreSQL, without the password on their command lines.

use std::io::{ErrorKind, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use percent_encoding::percent_decode_str;

/// How often a running program is checked for cancellation.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How many bytes of a program's messages are kept.
const KEPT: u64 = 4096;

/// An address without its password, and the password.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    url: String,
    password: Option<String>,
}

impl Address {
    /// Splits an address of libpq: `postgres://<user>:<password>@<hosts>/<database>?<parameters>`.
    pub(super) fn of(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        // As libpq reads it: what precedes the first `@` belongs to the user, so a password may contain a question mark.
        let (user, rest) = match rest.split_once('@') {
            Some((user, rest)) if !user.contains('/') => (user, rest),
            _ => ("", rest),
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (hosts, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (user, mut password) = match user.split_once(':') {
            Some((user, password)) => (user, Some(decoded(password))),
            None => (user, None),
        };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let is_secret =
            |pair: &&str| decoded(pair.split_once('=').unwrap_or((pair, "")).0) == "password";
        let (secret, kept): (Vec<&str>, Vec<&str>) =
            query.split('&').filter(|pair| !pair.is_empty()).partition(is_secret);
        if let Some((_, given)) = secret.last().and_then(|pair| pair.split_once('=')) {
            password = Some(decoded(given));
        }
        let at = if user.is_empty() { "" } else { "@" };
        let mark = if kept.is_empty() { "" } else { "?" };
        let url = format!("{scheme}://{user}{at}{hosts}{path}{mark}{}", kept.join("&"));
        Self { url, password }
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// A command of a client program, connected to this address if one is given.
pub(super) fn command(program: &str, address: Option<&Address>) -> Command {
    let mut command = Command::new(program);
    command.arg("--no-password").stdin(Stdio::null()).stderr(Stdio::piped());
    if let Some(Address { url, password }) = address {
        command.arg(format!("--dbname={url}"));
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
    }
    command
}

/// Starts a command.
pub(super) fn start(command: &mut Command) -> Result<Child> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!(
            "the program {program} is not found: install the client programs of PostgreSQL (the package postgresql-client), \
             of the server's version or a newer one"
        ),
        _ => anyhow::Error::from(error).context(format!("{program} cannot be started")),
    })
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
    if !status.success() {
        bail!("{program} failed: {}", advised(&String::from_utf8_lossy(&text)));
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

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_password_is_separated_from_the_address() {
        for (given, url, password) in [
            ("postgres://h/d", "postgres://h/d", None),
            ("postgres://u@h:1/d?a=b", "postgres://u@h:1/d?a=b", None),
            ("postgres://u:p%40%2Fs@h/d", "postgres://u@h/d", Some("p@/s")),
            (
                "postgresql://u:a+b@h1,h2:5/d?x=1&y=2",
                "postgresql://u@h1,h2:5/d?x=1&y=2",
                Some("a+b"),
            ),
            ("postgres://u@h/d?password=s%26&x=1", "postgres://u@h/d?x=1", Some("s&")),
            ("postgres://u:p@h?password=q", "postgres://u@h", Some("q")),
            ("postgres:///d?host=/tmp", "postgres:///d?host=/tmp", None),
            ("postgres://u:p?w@h:1/d?a=b", "postgres://u@h:1/d?a=b", Some("p?w")),
            ("postgres://h/d?application_name=a@b", "postgres://h/d?application_name=a@b", None),
            ("postgres://u@h/d?pass%77ord=s", "postgres://u@h/d", Some("s")),
        ] {
            let expected =
                Address { url: url.to_owned(), password: password.map(ToOwned::to_owned) };
            assert_eq!(Address::of(given), expected, "{given}");
        }
    }
}
