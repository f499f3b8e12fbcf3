//! The directory of a throwaway server, and how an abandoned one is recognised.
//!
//! A running task holds a lock on the file `owner` in its directory. The operating system releases the lock however the
//! task ends, even after `kill -9`. So a directory whose lock is free is abandoned; process ids, which are reused, are
//! not needed.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::account::{Account, current_user};
use super::memory;
use super::server::Durability;
use crate::process;

const PREFIX: &str = "contact-hub-postgres-";

/// A directory that is deleted when this is dropped, unless kept.
pub(crate) struct Scratch {
    directory: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates a directory that the account can reach, with an empty data directory that it owns.
    pub(crate) fn create(account: Account, durability: Durability) -> Result<Self> {
        let in_memory =
            (durability == Durability::InMemory).then(memory::place_with_room).flatten();
        let mut places = in_memory.into_iter().chain(places_on_disk());
        let place = places.find(|place| can_enter(account, place));
        let place = place.context("no temporary directory that the server's account can enter")?;
        // Another account must be able to pass through this directory to its own below.
        let mode = if account == Account::Current { 0o700 } else { 0o711 };
        let directory = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(mode))
            .tempdir_in(&place)
            .with_context(|| format!("cannot make a directory in {}", place.display()))?;
        let lock = claim(directory.path())?;
        let scratch = Self { directory, _lock: lock };
        let data = scratch.data();
        fs::create_dir(&data)?;
        fs::set_permissions(&data, Permissions::from_mode(0o700))?;
        account.take(&data)?;
        Ok(scratch)
    }

    /// The server's data directory.
    pub(crate) fn data(&self) -> PathBuf {
        data_of(self.directory.path())
    }

    /// Leaves the directory behind, for the next run to remove.
    pub(crate) fn keep(&mut self) {
        self.directory.disable_cleanup(true);
    }
}

/// A directory that an earlier run of the same user left behind.
pub(crate) struct Abandoned {
    directory: PathBuf,
    _lock: File,
}

impl Abandoned {
    /// All such directories, locked so that no other task removes them too.
    pub(crate) fn all() -> Result<Vec<Self>> {
        let user = current_user()?;
        let places = places_on_disk().into_iter().chain([PathBuf::from(memory::PLACE)]);
        let entries = places.filter_map(|place| place.read_dir().ok());
        let directories = entries
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
            .filter(|entry| entry.metadata().is_ok_and(|it| it.is_dir() && it.uid() == user))
            .map(|entry| entry.path());
        Ok(directories.filter_map(Self::claim).collect())
    }

    fn claim(directory: PathBuf) -> Option<Self> {
        let lock = File::open(directory.join("owner")).ok()?;
        lock.try_lock().ok()?;
        Some(Self { directory, _lock: lock })
    }

    /// Its server's data directory.
    pub(crate) fn data(&self) -> PathBuf {
        data_of(&self.directory)
    }

    /// Deletes it.
    pub(crate) fn remove(&self) -> Result<()> {
        fs::remove_dir_all(&self.directory)
            .with_context(|| format!("cannot remove {}", self.directory.display()))
    }
}

fn data_of(directory: &Path) -> PathBuf {
    directory.join("data")
}

/// Creates the owner's file, which is locked before it becomes visible.
fn claim(directory: &Path) -> Result<File> {
    let unseen = directory.join("owner.new");
    let lock = File::create_new(&unseen)?;
    lock.try_lock().context("cannot lock a file in the temporary directory")?;
    fs::rename(&unseen, directory.join("owner"))?;
    Ok(lock)
}

/// Where directories may be created: the usual place, and those that every account can enter.
fn places_on_disk() -> Vec<PathBuf> {
    let mut places = vec![std::env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
    places.dedup();
    places
}

fn can_enter(account: Account, place: &Path) -> bool {
    let mut command = account.command("sh");
    process::succeeds(command.args(["-c", "cd \"$1\"", "sh"]).arg(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_abandoned(directory: &Path) -> bool {
        Abandoned::all().unwrap().iter().any(|abandoned| abandoned.directory == directory)
    }

    #[test]
    fn a_directory_in_use_is_not_abandoned_and_goes_away_with_its_owner() {
        for durability in [Durability::Throwaway, Durability::InMemory] {
            is_removed_with_its_owner(durability);
        }
    }

    fn is_removed_with_its_owner(durability: Durability) {
        let scratch = Scratch::create(Account::Current, durability).unwrap();
        let directory = scratch.directory.path().to_path_buf();
        assert!(scratch.data().is_dir());
        assert!(!is_abandoned(&directory));
        drop(scratch);
        assert!(!directory.exists());
    }
}
