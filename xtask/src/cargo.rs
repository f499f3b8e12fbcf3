//! Cargo, and the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// Variables that `cargo run` sets for this program. To another cargo they would look like changes that build scripts
/// watch, and cause needless builds.
const OWN_VARIABLES: [&str; 4] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];

/// The root of the workspace.
pub(crate) fn workspace_root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// A command of the cargo that started this program, in the root of the workspace.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace_root());
    for (name, _) in std::env::vars_os() {
        let own = name
            .to_str()
            .is_some_and(|name| OWN_VARIABLES.iter().any(|prefix| name.starts_with(prefix)));
        if own {
            command.env_remove(name);
        }
    }
    command
}

/// True if cargo has a subcommand of this name.
pub(crate) fn has_subcommand(name: &str) -> bool {
    process::succeeds(&mut command(&[name, "--version"]))
}
