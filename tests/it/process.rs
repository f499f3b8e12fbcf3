//! The built binary with both of its outputs, and calls to it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use contact_hub_tests::{Answer, Binary, TestDatabase};
use serde_json::Value;

/// The maximum time for which a test waits for a process.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running service; killed when it is dropped.
pub(crate) struct Service {
    child: Child,
    lines: Receiver<String>,
    log: PathBuf,
    /// `http://…`
    pub(crate) base: String,
    /// What it has printed so far.
    pub(crate) printed: Vec<String>,
}

/// The binary without a database's address, in a test's directory and without settings from the environment.
pub(crate) fn bare(database: &TestDatabase, arguments: &[&str]) -> Command {
    let binary = Binary::on(database);
    let mut command = Command::new(binary.command(&[]).get_program());
    command.args(arguments).current_dir(database.directory()).stdin(Stdio::null());
    command
}

/// The key file of a test's directory.
pub(crate) fn key_file(database: &TestDatabase) -> String {
    database.directory().join("hub.key").display().to_string()
}

impl Service {
    /// `serve` on a free port, with these flags.
    pub(crate) fn serve(database: &TestDatabase, flags: &[&str]) -> Self {
        let key = key_file(database);
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
        Self::start(database, Binary::on(database).command(&[&fixed, flags].concat()))
    }

    /// Starts a command and waits for its first line, which must contain the address.
    pub(crate) fn start(database: &TestDatabase, command: Command) -> Self {
        Self::spawn(database, command).listening()
    }

    /// Waits for its first line, which must contain the address.
    pub(crate) fn listening(mut self) -> Self {
        let first = self.next_line().expect("a first line");
        first.strip_prefix("listening on ").expect(&first).clone_into(&mut self.base);
        assert!(self.base.starts_with("http://"), "{first}");
        self
    }

    /// Starts a command without waiting for anything.
    pub(crate) fn spawn(database: &TestDatabase, command: Command) -> Self {
        let log = tempfile::Builder::new()
            .suffix(".log")
            .tempfile_in(database.directory())
            .expect("a log file")
            .into_temp_path()
            .keep()
            .expect("it stays");
        let stderr = File::create(&log).expect("a log file");
        Self::logging_to(stderr.into(), log, command)
    }

    /// Starts a command whose standard error is a pipe that nobody reads.
    pub(crate) fn spawn_unread(command: Command) -> Self {
        Self::logging_to(Stdio::piped(), PathBuf::new(), command)
    }

    fn logging_to(stderr: Stdio, log: PathBuf, mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        Self { child, lines, log, base: String::new(), printed: Vec::new() }
    }

    /// The next line of its output; `None` when the output has ended.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.printed.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
        }
    }

    /// Waits for the API key that the first start prints.
    pub(crate) fn bootstrap_key(&mut self) -> String {
        self.rest_of_line("API key")
    }

    /// The rest of the next line that begins with these words.
    pub(crate) fn rest_of_line(&mut self, words: &str) -> String {
        loop {
            let line = self.next_line().expect(words);
            if let Some(rest) = line.trim().strip_prefix(words) {
                return rest.trim().to_owned();
            }
        }
    }

    /// The unread pipe of its standard error.
    pub(crate) fn take_stderr(&mut self) -> ChildStderr {
        self.child.stderr.take().expect("a pipe")
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill");
        assert!(sent.success());
    }

    /// Waits until it exits; its whole output is then in `printed`.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        while self.next_line().is_some() {}
        self.child.wait().expect("it ends")
    }

    /// Asks it to stop and expects exit code 0.
    pub(crate) fn stop(&mut self) {
        self.signal("TERM");
        let status = self.wait();
        assert_eq!(status.code(), Some(0), "{status}: {}", self.log());
    }

    /// What it has written to standard error so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).expect("a log")
    }

    /// A call of the contacts interface.
    pub(crate) async fn call(
        &self,
        method: &str,
        path: &str,
        key: &str,
        body: Option<&Value>,
    ) -> Answer {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let url = format!("{}/api/public/v1{path}", self.base);
        let request = reqwest::Client::new().request(method, url).bearer_auth(key);
        Answer::of(match body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }

    /// A call of any address.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(reqwest::Client::new().get(format!("{}{path}", self.base))).await
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Fails the test unless the command failed, printed nothing, and explained it in one line with these words.
#[track_caller]
pub(crate) fn expect_refused(output: &Output, words: &[&str]) {
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{shown}");
    assert_eq!(output.status.signal_or_code(), "code", "{shown}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(shown.trim_end().lines().count(), 1, "{shown}");
    for word in words {
        assert!(shown.contains(word), "{word} is not in: {shown}");
    }
}

trait EndedHow {
    fn signal_or_code(&self) -> &'static str;
}

impl EndedHow for ExitStatus {
    fn signal_or_code(&self) -> &'static str {
        if self.code().is_some() { "code" } else { "signal" }
    }
}

/// The permission bits of a file.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).expect("a file").permissions().mode() & 0o777
}
