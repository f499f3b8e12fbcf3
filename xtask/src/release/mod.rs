//! `cargo xtask release`: the files of a release in one directory.
//!
//! Reading order: `version` and `target` name it, `binary` builds it without the names of `directories` and with the
//! `memory_functions` of LLVM, `archive`, `debian` and `image` package it, and `sbom`, `notes` and `sums` describe it. `tree`
//! is what the packages are made of.
//!
//! The same commit gives the same bytes, with the same compilers: times are those of the commit, and paths of the
//! machine are left out.

mod archive;
mod binary;
mod debian;
mod directories;
mod image;
mod memory_functions;
mod notes;
mod sbom;
mod sums;
mod target;
mod tree;
mod version;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use self::target::Target;
use self::version::Version;
use crate::{cargo, report};

/// The options of a release.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The platform of the binary; repeatable
    #[arg(long, value_enum, default_values = ["x86_64-unknown-linux-musl"])]
    target: Vec<Target>,
    /// The directory for the files; an earlier release in it is removed
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
    /// Package this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// What is packaged, and where the packages go.
struct Release<'a> {
    version: &'a Version,
    target: Target,
    binary: PathBuf,
    out: &'a Path,
}

impl Release<'_> {
    /// The path of one of its files.
    fn file(&self, ending: &str) -> PathBuf {
        self.out.join(format!("{}{ending}", self.name()))
    }

    /// The name of the version on this platform.
    fn name(&self) -> String {
        format!("contact-hub-{}-{}-linux", self.version.text, self.target.machine())
    }
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let version = Version::of_checkout()?;
    report::line(&format!("contact-hub {}", version.text));
    let changelog = fs::read_to_string(cargo::workspace_root().join("CHANGELOG.md"))?;
    let notes = notes::of(&version, &changelog)?;
    let out = cargo::workspace_root().join(&options.out);
    empty(&out)?;
    for target in &options.target {
        let binary = match &options.binary {
            Some(binary) => binary.clone(),
            None => binary::build(*target, &version)?,
        };
        let release = Release { version: &version, target: *target, binary, out: &out };
        archive::write(&release)?;
        debian::write(&release)?;
        image::write(&release)?;
        sbom::write(&release)?;
    }
    sums::write(&out)?;
    fs::write(out.join("notes.md"), notes)?;
    list(&out)
}

/// Creates the directory, or removes an earlier release from it.
fn empty(out: &Path) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let is_release = out.join(sums::NAME).is_file();
    for entry in out.read_dir()? {
        let path = entry?.path();
        ensure!(is_release, "{} has files that are not of a release", out.display());
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// Reports the files with their sizes.
fn list(out: &Path) -> Result<()> {
    let mut lines = Vec::new();
    for entry in out.read_dir()? {
        let entry = entry?;
        lines.push((entry.file_name(), entry.metadata()?.len()));
    }
    lines.sort();
    for (name, bytes) in lines {
        report::line(&format!("{bytes:>12}  {}", name.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_earlier_release_is_removed() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join("letter.txt"), "dear").unwrap();
        assert!(empty(out.path()).is_err());
        fs::write(out.path().join(sums::NAME), "").unwrap();
        empty(out.path()).unwrap();
        assert_eq!(out.path().read_dir().unwrap().count(), 0);
    }
}
