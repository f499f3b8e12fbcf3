//! A private mount namespace: everything that a task mounts is unmounted when it ends.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::process;

/// Set inside the namespace.
const ENTERED: &str = "CONTACT_HUB_XTASK_OWN_MOUNTS";

const UNSHARE: [&str; 3] = ["--mount", "--propagation", "private"];

/// Restarts this program in a new mount namespace. Continues without one if the system does not permit it.
pub(crate) fn enter() {
    if is_entered() || !process::succeeds(Command::new("unshare").args(UNSHARE).arg("true")) {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut again = Command::new("unshare");
    again.args(UNSHARE).arg("--").arg(program).args(std::env::args_os().skip(1));
    // It returns only if it fails.
    let _failed = again.env(ENTERED, "1").exec();
}

/// Whether this program runs in a private namespace.
pub(crate) fn is_entered() -> bool {
    std::env::var_os(ENTERED).is_some()
}
