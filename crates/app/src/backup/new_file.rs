//! A file that gets its name when it is complete.

use std::fs::{self, File};
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
    /// Holds a lock, which the operating system releases however the process ends.
    _lock: File,
    target: PathBuf,
}

impl NewFile {
    /// An empty file that will become `target`. Those that killed processes left of the same target are deleted.
    pub(super) fn beside(target: &Path) -> Result<Self> {
        let name = target.file_name().and_then(|name| name.to_str());
        let Some(name) = name else { bail!("{} is not the name of a file", target.display()) };
        // To replace a device or a link by a file would break other programs.
        if fs::symlink_metadata(target).is_ok_and(|found| !found.is_file()) {
            bail!(
                "{} is not a regular file: give the name of one, or of a new file",
                target.display()
            );
        }
        let (directory, prefix) = (files::directory_of(target), format!(".{name}."));
        delete_abandoned(directory, &prefix);
        let partial = Builder::new()
            .prefix(&prefix)
            .suffix(PARTIAL)
            .tempfile_in(directory)
            .with_context(|| format!("no file can be created beside {}", target.display()))?;
        let (lock, partial) = partial.into_parts();
        // Where files cannot be locked, none is taken for abandoned.
        lock.try_lock().ok();
        Ok(Self { partial, _lock: lock, target: target.to_owned() })
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

/// Deletes incomplete files whose names begin with this, unless a process still writes them.
fn delete_abandoned(directory: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_partial =
            name.to_str().is_some_and(|it| it.starts_with(prefix) && it.ends_with(PARTIAL));
        // Opening a named pipe would wait for its writer.
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        let is_abandoned = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_partial && is_file() && is_abandoned() {
            fs::remove_file(entry.path()).ok();
        }
    }
}

fn written_through(file: &Path) -> io::Result<u64> {
    let file = File::options().write(true).open(file)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abandoned_file_is_deleted_and_one_in_use_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("hub.backup");
        let abandoned = directory.path().join(".hub.backup.abc.partial");
        let other = directory.path().join(".other.backup.abc.partial");
        fs::write(&abandoned, "").unwrap();
        fs::write(&other, "").unwrap();
        let in_use = NewFile::beside(&target).unwrap();
        let second = NewFile::beside(&target).unwrap();
        assert!(!abandoned.exists());
        assert!(other.exists() && in_use.path().exists() && second.path().exists());
    }
}
