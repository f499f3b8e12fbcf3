//! Provides aiosmtpd, a mail server in Python, for a test of alerts.
//!
//! It is installed into a virtual environment below `target`, by a list with versions and hashes. Without Python, or without
//! the package index, the test is skipped.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::steps::{Done, Steps};
use crate::{cargo, process, report};

/// The list by which it was installed.
const INSTALLED: &str = "installed.txt";

/// Finds or installs it, as a step of a longer list.
pub(crate) fn add_step(steps: &mut Steps) {
    steps.run("a mail server for the tests", || match provide() {
        Ok(()) => Ok(Done::Passed),
        Err(error) => {
            report::line(&format!("{error:#}"));
            Ok(Done::Skipped("aiosmtpd cannot be installed".to_owned()))
        }
    });
}

fn provide() -> Result<()> {
    let list = cargo::workspace_root().join("tests/it/alerts/aiosmtpd/requirements.txt");
    let place = cargo::workspace_root().join("target/aiosmtpd");
    let wanted = std::fs::read(&list).context("the list of its packages cannot be read")?;
    if std::fs::read(place.join(INSTALLED)).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    process::capture(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
    let mut pip = Command::new(place.join("bin/pip"));
    pip.args(["install", "--quiet", "--require-hashes", "--requirement"]).arg(&list);
    process::capture(&mut pip)?;
    std::fs::write(place.join(INSTALLED), wanted)?;
    Ok(())
}
