//! What the steps of all clients need: the document, a folder for generated files, and a running hub.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::service::{Service, built};
use crate::{api, cargo, process};

/// What is done with the generated files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// They are compared with those that the document gives.
    Check,
    /// They are written.
    Renew,
}

/// The document and a folder, which is removed at the end.
pub(super) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    /// Writes the document of this checkout.
    pub(super) fn open() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("openapi.json"), api::document()?)?;
        Ok(Self { folder })
    }

    /// The OpenAPI document.
    pub(super) fn document(&self) -> PathBuf {
        self.folder.path().join("openapi.json")
    }

    /// A folder for packages, empty at first.
    pub(super) fn packages(&self) -> Result<PathBuf> {
        let folder = self.folder.path().join("packages");
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Runs a generator, which takes the document and a folder, and writes these files.
    pub(super) fn generate(
        &self,
        generator: &mut Command,
        (folder, files): (&Path, &[&str]),
        mode: Mode,
    ) -> Result<()> {
        if mode == Mode::Renew {
            return process::run(generator.arg(self.document()).arg(folder));
        }
        let fresh = self.folder.path().join("generated");
        std::fs::create_dir_all(&fresh)?;
        process::run(generator.arg(self.document()).arg(&fresh))?;
        for file in files {
            let read = |folder: &Path| {
                let path = folder.join(file);
                std::fs::read(&path).with_context(|| format!("{} is missing", path.display()))
            };
            ensure!(
                read(folder)? == read(&fresh)?,
                "{file} is not what the document gives; run `cargo xtask clients --renew`",
            );
        }
        Ok(())
    }

    /// Runs tests with the address and the key of an empty hub as `HUB` and `KEY`.
    pub(super) fn with_hub(&mut self, tests: &mut Command) -> Result<()> {
        let database = format!("sqlite://{}", self.folder.path().join("hub.db").display());
        let flags = ["--webhook-allow-http", "--webhook-allow-network", "127.0.0.0/8"];
        let (hub, key) = Service::on_empty(&built("debug"), self.folder.path(), &database, &flags)?;
        process::run(tests.env("HUB", &hub.base).env("KEY", key))
    }
}

/// The folder of a client.
pub(super) fn client(language: &str) -> PathBuf {
    cargo::workspace_root().join("crates/client").join(language)
}

/// A command in a folder.
pub(super) fn command(program: impl AsRef<OsStr>, arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command
}
