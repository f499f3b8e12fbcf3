//! Provides what the browser tests need: Chromium, its driver, and axe-core, which checks accessibility.
//!
//! The browser comes from the system's packages; axe-core is a script from npm and is kept below `target`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::packages::{self, Wanted, Way};
use crate::steps::{Done, Steps};
use crate::{cargo, process, report};

/// The version whose rules the pages are checked against.
const AXE_VERSION: &str = "4.14.1";

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
    Ok(())
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

fn is_installed(place: &Path) -> bool {
    let package = std::fs::read_to_string(place.join("node_modules/axe-core/package.json"));
    package.is_ok_and(|text| text.contains(&format!("\"version\": \"{AXE_VERSION}\"")))
}
