//! The program of a previous commit, and that of the work tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::{cargo, process, report};

/// Where both programs and the previous source are, below the workspace.
const PLACE: &str = "target/upgrade";

/// The two programs.
pub(super) struct Programs {
    /// The previous one.
    pub(super) old: PathBuf,
    /// That of the work tree.
    pub(super) new: PathBuf,
}

impl Programs {
    /// Builds both. They share the builds of other crates.
    pub(super) fn build(from: &str, debug: bool) -> Result<Self> {
        let root = cargo::workspace_root();
        let place = root.join(PLACE);
        fs::create_dir_all(&place)?;
        let resolve = ["rev-parse", "--verify", "--short", &format!("{from}^{{commit}}")];
        let commit = process::capture(git(&root).args(resolve)).context("--from is no commit")?;
        let source = Source::check_out(&root, &place.join("source"), commit.trim())?;
        let old = place.join(format!("contact-hub-{}", commit.trim()));
        if !old.exists() {
            report::line(&format!("building {}", commit.trim()));
            build(&source.path, &root, debug, &old)?;
        }
        let new = place.join("contact-hub-new");
        report::line("building the work tree");
        build(&root, &root, debug, &new)?;
        Ok(Self { old, new })
    }
}

/// The tag of the last release before the work tree; `None` when there is none.
pub(super) fn last_release() -> Option<String> {
    let describe = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    let tag = process::capture(git(&cargo::workspace_root()).args(describe)).ok()?;
    Some(tag.trim().to_owned())
}

/// A work tree of git, removed when it is dropped.
struct Source {
    root: PathBuf,
    path: PathBuf,
}

impl Source {
    fn check_out(root: &Path, path: &Path, commit: &str) -> Result<Self> {
        // One that an interrupted run left.
        process::succeeds(git(root).args(["worktree", "remove", "--force"]).arg(path));
        let add = ["worktree", "add", "--detach", "--force"];
        process::capture(git(root).args(add).arg(path).arg(commit))?;
        Ok(Self { root: root.to_owned(), path: path.to_owned() })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        process::succeeds(git(&self.root).args(["worktree", "remove", "--force"]).arg(&self.path));
    }
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root);
    command
}

/// Builds the service of a source in the directory of this workspace, and copies it.
fn build(source: &Path, root: &Path, debug: bool, to: &Path) -> Result<()> {
    let mut command = cargo::command(&["build", "--quiet", "--package", "contact-hub"]);
    if !debug {
        command.arg("--release");
    }
    let profile = if debug { "debug" } else { "release" };
    let target = root.join("target");
    process::run(command.current_dir(source).env("CARGO_TARGET_DIR", &target))?;
    fs::copy(target.join(profile).join("contact-hub"), to).context("the program is not copied")?;
    Ok(())
}
