//! A separate Chromium for each test.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;
use thirtyfour::{
    CapabilitiesHelper, ChromiumLikeCapabilities, DesiredCapabilities, LoggingPrefsLogLevel,
    WebDriver,
};
use tokio::sync::{Semaphore, SemaphorePermit};

/// How many browsers run at once; more would only slow each other down.
static FREE: Semaphore = Semaphore::const_new(2);

/// Chromium without windows, if `cargo xtask browser` could install it: it opens pages in less time.
static HEADLESS_SHELL: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|it| it.join("chromium-headless-shell"));
    places.find(|program| program.is_file())
});

/// Flags that keep the browser from contacting other hosts and from showing prompts.
const ARGUMENTS: [&str; 12] = [
    "--headless=new",
    // Tests run as root in containers, where Chromium's sandbox does not work.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--lang=en-GB",
    "--window-size=1280,900",
];

/// Chromium and its driver, which end when this is dropped.
pub struct Chrome {
    /// The connection to the driver.
    pub driver: WebDriver,
    _process: Process,
    profile: TempDir,
    _place: Option<SemaphorePermit<'static>>,
}

/// A shell that runs the driver and the browser, and ends both when its standard input is closed. That happens as
/// soon as the test process ends, however it ends.
struct Process(Child);

/// The shell's script, run as the leader of a separate process group. It also ends when the driver ends by itself.
const UNTIL_INPUT_ENDS: &str =
    "(chromedriver --port=0; kill -s KILL -- -$$) & read -r _; kill -s KILL -- -$$";

/// How often a driver is started that finds no free port.
const STARTS: usize = 5;

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().ok();
    }
}

impl Chrome {
    /// Starts a browser with an empty profile, once fewer than the maximum run.
    pub async fn start() -> Self {
        let place = FREE.acquire().await.expect("never closed");
        Self { _place: Some(place), ..Self::start_beside().await }
    }

    /// Starts another browser for the same test. It does not count towards the maximum: otherwise tests that wait for
    /// a second browser would deadlock.
    pub async fn start_beside() -> Self {
        let profile = tempfile::tempdir().expect("a directory");
        let (process, port) = start_driver(&profile);
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities(&profile));
        let driver = driver.await.expect("a browser");
        Self { driver, _process: process, profile, _place: None }
    }

    /// The download directory.
    #[must_use]
    pub fn downloads(&self) -> PathBuf {
        self.profile.path().join("downloads")
    }
}

fn capabilities(profile: &TempDir) -> thirtyfour::ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    if let Some(program) = &*HEADLESS_SHELL {
        // The name by which the driver knows this browser.
        capabilities.set("browserName", "chrome-headless-shell").expect("a name");
        let program = program.to_str().expect("a path in UTF-8");
        capabilities.set_binary(program).expect("a program");
    }
    for argument in ARGUMENTS {
        capabilities.add_arg(argument).expect("an argument");
    }
    let data = format!("--user-data-dir={}", profile.path().join("profile").display());
    capabilities.add_arg(&data).expect("an argument");
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All).expect("a log level");
    capabilities
        .add_experimental_option(
            "prefs",
            serde_json::json!({
                // The prompt to save a password would cover the page.
                "credentials_enable_service": false,
            }),
        )
        .expect("preferences");
    capabilities
}

/// Starts the driver on a port of its choice, which it prints in its first lines.
fn start_driver(profile: &TempDir) -> (Process, u16) {
    let started = (0..STARTS).find_map(|_start| try_driver(profile));
    started.expect("chromedriver, which `cargo xtask browser` installs")
}

/// A driver with its port; `None` when it ended before it had one.
fn try_driver(profile: &TempDir) -> Option<(Process, u16)> {
    let mut command = Command::new("sh");
    command.args(["-c", UNTIL_INPUT_ENDS]).process_group(0);
    command.env("HOME", profile.path()).env("TMPDIR", profile.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = Process(command.spawn().expect("a shell"));
    let mut lines = BufReader::new(process.0.stdout.take().expect("its output")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
    });
    // The rest of its output is read, so that the driver never blocks on a full pipe.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    Some((process, port?))
}
