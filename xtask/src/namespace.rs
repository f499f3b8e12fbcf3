//! A private mount namespace, so that what a task mounts is gone with it.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::process;

/// Set in the namespace.
const ENTERED: &str = "CONTACT_HUB_XTASK_OWN_MOUNTS";

const UNSHARE: [&str; 3] = ["--mount", "--propagation", "private"];

/// Starts this program again in a mount namespace of its own. It goes on without one where the system refuses it.
pub(crate) fn enter() {
    if is_entered() || !process::succeeds(Command::new("unshare").args(UNSHARE).arg("true")) {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut again = Command::new("unshare");
    again.args(UNSHARE).arg("--").arg(program).args(std::env::args_os().skip(1));
    // It returns only when it fails.
    let _failed = again.env(ENTERED, "1").exec();
}

/// Whether this program runs in a namespace of its own.
pub(crate) fn is_entered() -> bool {
    std::env::var_os(ENTERED).is_some()
}
