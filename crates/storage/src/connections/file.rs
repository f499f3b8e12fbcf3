//! Checks that the SQLite file is still the one that was opened.
//!
//! A file that is moved or deleted stays usable for processes that have it open, but their writes are lost. So the
//! path is compared with the file that was opened first, and no other file is ever opened or written to.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The path of a database, and the identity of the file when it was first opened.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseFile {
    path: Arc<PathBuf>,
    opened: Arc<OnceLock<Option<Identity>>>,
}

/// The path leads to another file, or to none.
#[derive(Debug, thiserror::Error)]
#[error("the database file was moved, deleted or replaced while it was in use")]
pub(crate) struct FileMoved;

/// Identifies a file: device and inode.
type Identity = (u64, u64);

impl DatabaseFile {
    pub(crate) fn new(path: &str) -> Self {
        Self { path: Arc::new(PathBuf::from(path)), opened: Arc::default() }
    }

    /// The path of its write-ahead log.
    pub(crate) fn log(&self) -> PathBuf {
        let mut path = self.path.as_os_str().to_owned();
        path.push("-wal");
        path.into()
    }

    /// Its size in bytes; 0 if it does not exist.
    pub(crate) fn size(&self) -> u64 {
        std::fs::metadata(&*self.path).map_or(0, |file| file.len())
    }

    /// The same of its write-ahead log.
    pub(crate) fn log_size(&self) -> u64 {
        std::fs::metadata(self.log()).map_or(0, |file| file.len())
    }

    /// Stores the identity of the file that was just opened, unless there is one.
    pub(crate) fn remember(&self) {
        self.opened.get_or_init(|| self.identity());
    }

    /// Fails unless the path leads to the file that was opened.
    pub(crate) fn check(&self) -> Result<(), FileMoved> {
        match self.opened.get() {
            Some(Some(opened)) if self.identity().as_ref() != Some(opened) => Err(FileMoved),
            _ => Ok(()),
        }
    }

    /// Whether the file may be written to at all.
    pub(crate) fn is_writable(&self) -> bool {
        std::fs::metadata(&*self.path).is_ok_and(|file| !file.permissions().readonly())
    }

    #[cfg(unix)]
    fn identity(&self) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt as _;
        let file = std::fs::metadata(&*self.path).ok()?;
        Some((file.dev(), file.ino()))
    }

    /// On systems without inodes only a missing file is noticed.
    #[cfg(not(unix))]
    fn identity(&self) -> Option<Identity> {
        self.path.exists().then_some((0, 0))
    }
}
