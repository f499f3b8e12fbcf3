//! Installs other programs with the system's package manager.
//!
//! A program is installed only if it was not found and no password is needed: as root, with a `sudo` without password,
//! or with Homebrew. Otherwise the error message contains the command to run.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{process, report};

/// A program to be installed.
pub(crate) struct Wanted {
    /// Its name for people.
    pub(crate) name: &'static str,
    /// The command of each package manager, the likeliest first.
    pub(crate) ways: &'static [Way],
}

/// One package manager and its command.
pub(crate) struct Way {
    /// The program whose presence identifies the manager.
    manager: &'static str,
    /// The command that a person would type.
    advice: &'static str,
    /// The shell script that is run.
    script: &'static str,
}

impl Way {
    /// A manager whose script is the command that a person would type.
    pub(crate) const fn plain(manager: &'static str, script: &'static str) -> Self {
        Self { manager, advice: script, script }
    }

    /// A manager whose script is longer than the command that a person would type.
    pub(crate) const fn scripted(
        manager: &'static str,
        advice: &'static str,
        script: &'static str,
    ) -> Self {
        Self { manager, advice, script }
    }

    /// Homebrew refuses to run as root.
    fn needs_root(&self) -> bool {
        self.manager != "brew"
    }
}

/// Installs it, or returns instructions.
pub(crate) fn install(wanted: &Wanted) -> Result<()> {
    let Wanted { name, ways } = wanted;
    let Some(way) = ways.iter().find(|way| exists(way.manager)) else {
        bail!("{name} was not found; install it");
    };
    let Some(mut command) = privileged(way) else {
        bail!("{name} was not found; install it with: sudo sh -c '{}'", way.advice);
    };
    report::line(&format!("{name} is missing and is being installed by {}", way.manager));
    process::run_to_the_end(command.args(["sh", "-c", way.script]))
        .with_context(|| format!("cannot install {name}; try: {}", way.advice))
}

/// Whether a program is in the search path.
pub(crate) fn exists(program: &str) -> bool {
    shell_holds(&format!("command -v {program}"))
}

/// The start of a command with the privileges that the manager needs, if available.
fn privileged(way: &Way) -> Option<Command> {
    if !way.needs_root() || shell_holds("test \"$(id -u)\" -eq 0") {
        return Some(Command::new("env"));
    }
    if process::succeeds(Command::new("sudo").args(["-n", "true"])) {
        let mut command = Command::new("sudo");
        command.arg("-n");
        return Some(command);
    }
    None
}

fn shell_holds(script: &str) -> bool {
    process::succeeds(Command::new("sh").args(["-c", script]))
}
