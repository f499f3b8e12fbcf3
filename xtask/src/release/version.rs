//! Which version is released: that of a tag, or one that names the commit.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::{cargo, process};

/// The version in the manifest of the workspace, which all its crates share.
const IN_MANIFEST: &str = env!("CARGO_PKG_VERSION");

/// A version, and the commit that it is made from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// `0.1.0`, or `0.1.0-dev.<number of commits>+<hash>` for a commit without a tag.
    pub(super) text: String,
    /// Whether it is that of a tag.
    pub(super) is_tagged: bool,
    /// The commit.
    pub(super) commit: String,
    /// When the commit was made, in seconds since 1970; every time in a release.
    pub(super) epoch: u64,
    /// The same, such as `2026-01-31T12:00:00Z`.
    pub(super) moment: String,
}

impl Version {
    /// The version of the commit that is checked out.
    pub(super) fn of_checkout() -> Result<Self> {
        let commit = git(&["rev-parse", "HEAD"])?;
        let tags = git(&["tag", "--points-at", "HEAD", "--list", "v*"])?;
        let is_clean = git(&["status", "--porcelain"])?.is_empty();
        let tag = tags.lines().next().filter(|_| is_clean);
        let text = match tag {
            Some(tag) => of_tag(tag)?,
            None => of_commit(&git(&["rev-list", "--count", "HEAD"])?, &commit, is_clean),
        };
        let [epoch, moment] = ["--date=unix", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"]
            .map(|format| git(&["log", "--max-count=1", "--format=%cd", format]));
        Ok(Self { text, is_tagged: tag.is_some(), commit, epoch: epoch?.parse()?, moment: moment? })
    }

    /// The same for Debian, which sorts what follows `~` before the release itself.
    pub(super) fn debian(&self) -> String {
        self.text.replacen('-', "~", 1)
    }

    /// The same as the tag of an image, in which `+` is not allowed.
    pub(super) fn image_tag(&self) -> String {
        self.text.replace('+', "-")
    }
}

fn of_tag(tag: &str) -> Result<String> {
    let version = tag.trim_start_matches('v');
    ensure!(
        version == IN_MANIFEST,
        "the tag is {tag}, but the version in Cargo.toml is {IN_MANIFEST}"
    );
    Ok(version.to_owned())
}

fn of_commit(count: &str, commit: &str, is_clean: bool) -> String {
    let hash = commit.get(..12).unwrap_or(commit);
    let changed = if is_clean { "" } else { ".changed" };
    format!("{IN_MANIFEST}-dev.{count}+{hash}{changed}")
}

fn git(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(cargo::workspace_root()).env("TZ", "UTC");
    let output = process::capture(&mut command);
    Ok(output.context("a release is made from a git checkout")?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_to_be_the_version() {
        assert_eq!(of_tag(&format!("v{IN_MANIFEST}")).unwrap(), IN_MANIFEST);
        assert!(of_tag("v999.0.0").is_err());
    }

    #[test]
    fn a_commit_without_a_tag_is_named() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let text = of_commit("17", commit, true);
        assert_eq!(text, format!("{IN_MANIFEST}-dev.17+0123456789ab"));
        assert_eq!(of_commit("17", commit, false), format!("{text}.changed"));
    }

    #[test]
    fn packages_have_names_that_their_managers_take() {
        let version = Version {
            text: "0.1.0-dev.17+0123".to_owned(),
            is_tagged: false,
            commit: String::new(),
            epoch: 0,
            moment: String::new(),
        };
        assert_eq!(version.debian(), "0.1.0~dev.17+0123");
        assert_eq!(version.image_tag(), "0.1.0-dev.17-0123");
    }
}
