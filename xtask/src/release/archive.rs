//! The archive for any Linux: the binary, the documents that belong to it, and the files to deploy it.

use std::fs;
use std::process::Command;

use anyhow::Result;

use super::Release;
use super::tree::{Tree, gzip};
use crate::{cargo, process};

/// Beside the binary.
const DOCUMENTS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Writes it.
pub(super) fn write(release: &Release<'_>) -> Result<()> {
    let top = cargo::workspace_root();
    let mut git = Command::new("git");
    let deploy = process::capture(git.args(["ls-files", "deploy"]).current_dir(&top))?;
    let mut tree = Tree::default();
    let name = release.name();
    tree.program(&format!("{name}/contact-hub"), fs::read(&release.binary)?);
    for path in DOCUMENTS.into_iter().chain(deploy.lines()) {
        tree.file(&format!("{name}/{path}"), fs::read(top.join(path))?);
    }
    let packed = gzip(&tree.tar(release.version.epoch)?)?;
    fs::write(release.file(".tar.gz"), packed)?;
    Ok(())
}
