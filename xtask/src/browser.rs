//! Provides what the browser tests need: Chromium, its driver, axe-core, which checks accessibility, and oidc-provider, an
//! identity provider.
//!
//! The browser comes from the system's packages; the others are from npm and are kept below `target`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::packages::{self, Wanted, Way};
use crate::steps::{Done, Steps};
use crate::{cargo, process, report};

/// The version whose rules the pages are checked against.
const AXE_VERSION: &str = "4.14.1";

/// The lock file by which oidc-provider was installed.
const INSTALLED: &str = "installed-lock.json";

/// The driver starts the browser, so only the driver must be in the search path. The fonts are for systems without
/// any.
const CHROMIUM: Wanted = Wanted {
    name: "Chromium with chromedriver",
    ways: &[
        Way::scripted(
            "apt-get",
            "apt-get update && apt-get install -y chromium chromium-driver",
            "
                set -e
                export DEBIAN_FRONTEND=noninteractive
                apt-get update
                apt-get install -y --no-install-recommends chromium chromium-driver fonts-liberation
            ",
        ),
        Way::plain("dnf", "dnf install -y chromium chromedriver liberation-fonts"),
        Way::plain("zypper", "zypper --non-interactive install chromium chromedriver"),
        Way::plain("apk", "apk add chromium chromium-chromedriver font-liberation"),
        Way::plain("pacman", "pacman -Sy --noconfirm chromium"),
        Way::plain("brew", "brew install --cask chromium chromedriver"),
    ],
};

/// Chromium without windows. The tests take less than two thirds of the time with it, but only some systems have it as a
/// package. Its version is that of the driver, since both are built from one source package.
const HEADLESS_SHELL: Wanted = Wanted {
    name: SHELL,
    ways: &[Way::scripted(
        "apt-get",
        "apt-get update && apt-get install -y chromium-headless-shell",
        "
            set -e
            export DEBIAN_FRONTEND=noninteractive
            apt-get update
            apt-get install -y --no-install-recommends chromium-headless-shell
        ",
    )],
};

/// The program that the tests look for in the search path.
const SHELL: &str = "chromium-headless-shell";

const NPM: Wanted = Wanted {
    name: "npm",
    ways: &[
        Way::scripted(
            "apt-get",
            "apt-get update && apt-get install -y npm",
            "
                set -e
                export DEBIAN_FRONTEND=noninteractive
                apt-get update
                apt-get install -y --no-install-recommends npm
            ",
        ),
        Way::plain("dnf", "dnf install -y npm"),
        Way::plain("zypper", "zypper --non-interactive install npm-default"),
        Way::plain("apk", "apk add npm"),
        Way::plain("pacman", "pacman -Sy --noconfirm npm"),
        Way::plain("brew", "brew install node"),
    ],
};

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_step(&mut steps);
    steps.finish()
}

/// Finds or installs them, as a step of a longer list.
pub(crate) fn add_step(steps: &mut Steps) {
    steps.run("a browser for the tests", || {
        provide()?;
        axe()?;
        identity_provider()?;
        Ok(Done::Passed)
    });
}

/// Finds or installs the browser.
pub(crate) fn provide() -> Result<()> {
    if !packages::exists("chromedriver") {
        packages::install(&CHROMIUM)?;
    }
    let version = process::capture(Command::new("chromedriver").arg("--version"))?;
    report::line(version.trim());
    headless_shell();
    Ok(())
}

/// Without it, the tests use Chromium itself.
fn headless_shell() {
    let installed =
        if packages::exists(SHELL) { Ok(()) } else { packages::install(&HEADLESS_SHELL) };
    match installed {
        Ok(()) => report::line(SHELL),
        Err(error) => report::line(&format!("the slower Chromium is used: {error:#}")),
    }
}

fn axe() -> Result<()> {
    let place = cargo::workspace_root().join("target/axe-core");
    if !is_installed(&place) {
        if !packages::exists("npm") {
            packages::install(&NPM)?;
        }
        let package = format!("axe-core@{AXE_VERSION}");
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
        ]);
        process::capture(npm.arg(&place).arg(package)).context("axe-core cannot be installed")?;
        ensure!(is_installed(&place), "npm installed another axe-core than {AXE_VERSION}");
    }
    report::line(&format!("axe-core {AXE_VERSION}"));
    Ok(())
}

/// The identity provider, whose packages and hashes a lock file pins. Without Node.js its journey is skipped.
fn identity_provider() -> Result<()> {
    if !packages::exists("node") {
        report::line("no Node.js, so the journey with oidc-provider is skipped");
        return Ok(());
    }
    let source = cargo::workspace_root().join("tests/browser/oidc-provider");
    let place = cargo::workspace_root().join("target/oidc-provider");
    let lock = "package-lock.json";
    let wanted = std::fs::read(source.join(lock)).context("its lock file cannot be read")?;
    let installed = std::fs::read(place.join(INSTALLED));
    if installed.is_ok_and(|installed| installed == wanted) {
        report::line("oidc-provider");
        return Ok(());
    }
    std::fs::create_dir_all(&place)?;
    for file in ["package.json", lock] {
        std::fs::copy(source.join(file), place.join(file))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    process::capture(npm.arg(&place)).context("oidc-provider cannot be installed")?;
    std::fs::write(place.join(INSTALLED), wanted)?;
    report::line("oidc-provider");
    Ok(())
}

fn is_installed(place: &Path) -> bool {
    let package = std::fs::read_to_string(place.join("node_modules/axe-core/package.json"));
    package.is_ok_and(|text| text.contains(&format!("\"version\": \"{AXE_VERSION}\"")))
}
