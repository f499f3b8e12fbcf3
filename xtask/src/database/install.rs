//! Installing PostgreSQL by the system's own package manager.
//!
//! Done only when no server was found and it needs no password: as root, by `sudo` that asks for
//! none, or by Homebrew. Otherwise the error says what to type.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::account::current_user;
use super::binaries::OLDEST;
use crate::{process, report};

/// One package manager and what it is told.
struct Manager {
    /// The program that gives it away.
    program: &'static str,
    /// What a person would type.
    advice: &'static str,
    /// What is run; a shell script.
    script: &'static str,
    /// Whether it has to be root.
    as_root: bool,
}

/// Debian creates and starts a server of its own at installation unless told not to; it is told
/// so for the time of the installation only.
const APT: &str = "
    set -e
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends postgresql-common
    settings=/etc/postgresql-common/createcluster.d
    trap 'rm -f $settings/contact-hub-test.conf' EXIT
    mkdir -p $settings
    echo 'create_main_cluster = false' > $settings/contact-hub-test.conf
    apt-get install -y --no-install-recommends postgresql
";

/// A package manager whose script is what a person would type.
const fn plain(program: &'static str, script: &'static str) -> Manager {
    Manager { program, advice: script, script, as_root: true }
}

/// The known package managers.
const MANAGERS: [Manager; 7] = [
    Manager {
        program: "apt-get",
        advice: "apt-get update && apt-get install -y postgresql",
        script: APT,
        as_root: true,
    },
    plain("dnf", "dnf install -y postgresql-server"),
    plain("yum", "yum install -y postgresql-server"),
    plain("zypper", "zypper --non-interactive install postgresql-server"),
    plain("apk", "apk add postgresql"),
    plain("pacman", "pacman -Sy --noconfirm postgresql"),
    Manager {
        program: "brew",
        advice: "brew install postgresql",
        script: "brew install postgresql",
        as_root: false,
    },
];

/// Installs PostgreSQL, or says what a person has to do.
pub(crate) fn install() -> Result<()> {
    let Some(manager) = MANAGERS.iter().find(|manager| exists(manager.program)) else {
        bail!("no PostgreSQL of version {OLDEST} or newer was found; install one");
    };
    let Some(mut command) = privileged(manager)? else {
        bail!(
            "no PostgreSQL of version {OLDEST} or newer was found; install it with: sudo sh -c '{}'",
            manager.advice
        );
    };
    report::line(&format!("PostgreSQL is missing and is being installed by {}", manager.program));
    process::run_to_the_end(command.args(["sh", "-c", manager.script]))
        .with_context(|| format!("cannot install PostgreSQL; try: {}", manager.advice))
}

/// The start of a command with the rights that the manager needs, if it can have them.
fn privileged(manager: &Manager) -> Result<Option<Command>> {
    if !manager.as_root || current_user()? == 0 {
        return Ok(Some(Command::new("env")));
    }
    if process::succeeds(Command::new("sudo").args(["-n", "true"])) {
        let mut command = Command::new("sudo");
        command.arg("-n");
        return Ok(Some(command));
    }
    Ok(None)
}

fn exists(program: &str) -> bool {
    let script = format!("command -v {program}");
    process::succeeds(Command::new("sh").args(["-c", &script]))
}
