//! A file that gets its name when it is complete.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::{Builder, TempPath};

use crate::files;

/// The end of the names of incomplete files.
pub(super) const PARTIAL: &str = ".partial";

/// An incomplete file in the directory of its target, which only the owner may read. It is deleted when this is dropped.
pub(super) struct NewFile {
    partial: TempPath,
    target: PathBuf,
}

impl NewFile {
    /// An empty file that will become `target`.
    pub(super) fn beside(target: &Path) -> Result<Self> {
        let name = target.file_name().and_then(|name| name.to_str());
        let Some(name) = name else { bail!("{} is not the name of a file", target.display()) };
        let partial = Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(PARTIAL)
            .tempfile_in(files::directory_of(target))
            .with_context(|| format!("no file can be created beside {}", target.display()))?;
        Ok(Self { partial: partial.into_temp_path(), target: target.to_owned() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.partial
    }

    /// Flushes the file to the disk and gives it its name. Returns its size.
    pub(super) fn publish(self, overwrites: bool) -> Result<u64> {
        let (directory, target) = (files::directory_of(&self.target).to_owned(), self.target);
        let failed = || format!("{} cannot be written", target.display());
        let bytes = written_through(&self.partial).with_context(failed)?;
        let named = if overwrites {
            self.partial.persist(&target)
        } else {
            self.partial.persist_noclobber(&target)
        };
        match named {
            Ok(()) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                bail!("{} was created by another program meanwhile", target.display());
            }
            Err(error) => return Err(error.error).with_context(failed),
        }
        files::sync(&directory).with_context(failed)?;
        Ok(bytes)
    }
}

fn written_through(file: &Path) -> io::Result<u64> {
    let file = File::options().write(true).open(file)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}
