//! Runs the built binary, as a user does.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use crate::database::TestDatabase;

/// The absolute path of a binary to test in place of the built one, such as that of a release.
const VARIABLE: &str = "CONTACT_HUB_TEST_BINARY";

/// Commands of the binary on one database.
pub struct Binary<'a> {
    database: &'a TestDatabase,
}

/// A running service; killed when it is dropped.
pub struct Running {
    child: Child,
    /// `http://…`
    pub base: String,
    lines: std::sync::mpsc::Receiver<String>,
}

impl<'a> Binary<'a> {
    /// The binary on this database.
    #[must_use]
    pub const fn on(database: &'a TestDatabase) -> Self {
        Self { database }
    }

    /// A command of the binary with these arguments, followed by the database's address.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(path());
        command.args(arguments).args(["--database-url", self.database.url_text()]);
        command.current_dir(self.database.directory()).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the binary runs")
    }

    /// Runs a command and returns the JSON that it prints.
    #[must_use]
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("one JSON object")
    }

    /// Starts the service on a free port and waits for its first line.
    #[must_use]
    pub fn serve(&self, arguments: &[&str]) -> Running {
        self.serve_at("127.0.0.1:0", arguments)
    }

    /// The same at a given address, such as that of a service that has stopped.
    #[must_use]
    pub fn serve_at(&self, address: &str, arguments: &[&str]) -> Running {
        let key = self.database.directory().join("hub.key");
        let key = key.to_str().expect("a path");
        let fixed = ["serve", "--listen", address, "--secret-key-file", key];
        let all: Vec<&str> = fixed.iter().chain(arguments).copied().collect();
        let mut command = self.command(&all);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let mut running = Running { child, base: String::new(), lines };
        let first = running.next_line();
        let address = first.strip_prefix("listening on ").expect("the first line has the address");
        address.clone_into(&mut running.base);
        running
    }
}

impl Running {
    /// The next line of its output.
    pub fn next_line(&mut self) -> String {
        let line = self.lines.recv_timeout(std::time::Duration::from_secs(30));
        line.expect("the service prints another line")
    }

    /// Waits for the API key that the first start prints.
    pub fn bootstrap_key(&mut self) -> String {
        self.rest_of_line("API key")
    }

    /// Waits for the one-time link that the first start prints.
    pub fn sign_in_link(&mut self) -> String {
        self.rest_of_line("sign in")
    }

    /// The rest of the next line that begins with these words.
    fn rest_of_line(&mut self, words: &str) -> String {
        loop {
            let line = self.next_line();
            if let Some(rest) = line.trim().strip_prefix(words) {
                return rest.trim().to_owned();
            }
        }
    }

    /// Sends SIGTERM and returns the exit code.
    #[must_use]
    pub fn terminate(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status().expect("kill");
        assert!(killed.success());
        self.child.wait().expect("it ends").code()
    }

    /// Kills it, like a crash.
    pub fn kill(mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let given = || std::env::var_os(VARIABLE).map(PathBuf::from);
    PATH.get_or_init(|| given().unwrap_or_else(|| built("contact-hub"))).clone()
}

/// The sample mirror.
pub fn mirror() -> Command {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    Command::new(PATH.get_or_init(|| built("contact-hub-mirror")))
}

/// The binary of a package, of the profile that the test was built in. It is built if it does not exist, as after
/// `cargo test -p`. The command is that of `cargo xtask`, so that dependencies get the same features and are not compiled
/// once more.
fn built(package: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let profile = test.parent().and_then(std::path::Path::parent).expect("target/<profile>");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "contact-hub", "--package", "contact-hub-mirror"]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo runs").success(), "{package} does not build");
    profile.join(package)
}
