//! A process of the service that a task kills, stops or watches.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::process;

/// Within this time a process must listen, including the recovery of its database from a crash.
const START_WITHIN: Duration = Duration::from_mins(1);

/// A running process, killed when it is dropped.
pub(crate) struct Instance {
    child: Child,
    /// Its address, such as `http://127.0.0.1:40123`.
    pub(crate) base: String,
    lines: Receiver<String>,
}

impl Instance {
    /// Starts a command that serves; its log is appended to this file.
    pub(crate) fn start(program: &Path, arguments: &[String], log: &Path) -> Result<Self> {
        let log = File::options().create(true).append(true).open(log)?;
        // A write past the maximum size of a file then fails, instead of ending the process.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(program).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().context("the service does not start")?;
        let out = BufReader::new(child.stdout.take().context("the service has no output")?);
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let mut instance = Self { child, base: String::new(), lines };
        instance.base = instance.line_after("listening on ")?;
        Ok(instance)
    }

    /// The rest of the next line that begins like this.
    pub(crate) fn line_after(&self, beginning: &str) -> Result<String> {
        loop {
            let line = self.lines.recv_timeout(START_WITHIN);
            let line = line.with_context(|| format!("the service printed no \"{beginning}\""))?;
            if let Some(rest) = line.trim().strip_prefix(beginning) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    /// Its process id.
    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        process::signal(&[self.id()], name);
    }

    /// Kills it, like a crash.
    pub(crate) fn kill(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }

    /// Sends SIGTERM, and fails when it does not end in time.
    pub(crate) fn terminate(&mut self, within: Duration) -> Result<()> {
        self.signal("TERM");
        let (id, child) = (self.id(), &mut self.child);
        let (sender, ended) = mpsc::channel();
        let status = std::thread::scope(|scope| {
            scope.spawn(move || sender.send(child.wait()));
            let status = ended.recv_timeout(within);
            if status.is_err() {
                process::signal(&[id], "KILL");
            }
            status
        });
        let status = status
            .with_context(|| format!("an instance did not end within {within:?} of SIGTERM"))??;
        ensure!(status.success(), "SIGTERM ended an instance with {status}");
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.kill();
    }
}
