//! The directories of this machine, which the binary must not name: builds of one commit would differ by them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cargo;

/// Directories, each with the name that replaces it. A later one replaces more of a path than an earlier one.
pub(super) struct Directories([(PathBuf, &'static str); 3]);

impl Directories {
    /// Those of this build, whose output is in the target directory.
    pub(super) fn of_build(target: PathBuf) -> Result<Self> {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
        let home = home.context("neither CARGO_HOME nor HOME is set")?;
        let workspace = cargo::workspace_root().canonicalize()?;
        Ok(Self([(home, "/cargo"), (workspace, "/contact-hub"), (target, "/contact-hub/target")]))
    }

    /// The flags for rustc.
    pub(super) fn rust_flags(&self) -> String {
        self.flags("--remap-path-prefix")
    }

    /// The flags for the compiler of C code.
    pub(super) fn c_flags(&self) -> String {
        self.flags("-ffile-prefix-map")
    }

    fn flags(&self, flag: &str) -> String {
        let one = |(from, to): &(PathBuf, &str)| format!("{flag}={}={to}", Path::display(from));
        self.0.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_compiler_gets_every_directory() {
        let directories = Directories([
            ("/home/a/.cargo".into(), "/cargo"),
            ("/home/a/hub".into(), "/contact-hub"),
            ("/var/build".into(), "/contact-hub/target"),
        ]);
        assert_eq!(
            directories.rust_flags(),
            "--remap-path-prefix=/home/a/.cargo=/cargo --remap-path-prefix=/home/a/hub=/contact-hub \
             --remap-path-prefix=/var/build=/contact-hub/target",
        );
        assert!(
            directories.c_flags().ends_with(" -ffile-prefix-map=/var/build=/contact-hub/target")
        );
    }
}
