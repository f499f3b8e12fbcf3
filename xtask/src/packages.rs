//! Installing other programs by the system's own package manager.
//!
//! Done only when a program was not found and it needs no password: as root, by `sudo` that asks for none, or by
//! Homebrew. Otherwise the error says what to type.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{process, report};

/// What is to be installed.
pub(crate) struct Wanted {
    /// What people call it.
    pub(crate) name: &'static str,
    /// How each package manager is told, the likeliest first.
    pub(crate) ways: &'static [Way],
}

/// One package manager and what it is told.
pub(crate) struct Way {
    /// The program that gives the manager away.
    manager: &'static str,
    /// What a person would type.
    advice: &'static str,
    /// What is run; a shell script.
    script: &'static str,
}

impl Way {
    /// A manager whose script is what a person would type.
    pub(crate) const fn plain(manager: &'static str, script: &'static str) -> Self {
        Self { manager, advice: script, script }
    }

    /// A manager whose script is more than what a person would type.
    pub(crate) const fn scripted(
        manager: &'static str,
        advice: &'static str,
        script: &'static str,
    ) -> Self {
        Self { manager, advice, script }
    }

    /// Homebrew is the one that refuses to be root.
    fn needs_root(&self) -> bool {
        self.manager != "brew"
    }
}

/// Installs it, or says what a person has to do.
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

/// The start of a command with the rights that the manager needs, if it can have them.
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
