//! The file of SQLite: is it still the one that was opened?
//!
//! A file that is moved or deleted stays usable for those who have it open, but what they write to it is lost. So the
//! path is compared with the file that was opened first, and no other file is ever opened or written to.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The path of a database, and which file that was when it was first opened.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseFile {
    path: Arc<PathBuf>,
    opened: Arc<OnceLock<Option<Identity>>>,
}

/// Another file, or none, is where the opened one was.
#[derive(Debug, thiserror::Error)]
#[error("the database file was moved, deleted or replaced while it was in use")]
pub(crate) struct FileMoved;

/// What tells files apart: device and inode.
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

    /// Remembers the file that was just opened, unless one is remembered.
    pub(crate) fn remember(&self) {
        self.opened.get_or_init(|| self.identity());
    }

    /// An error unless the path leads to the file that was opened.
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

    /// Where files have no number, only their absence is noticed.
    #[cfg(not(unix))]
    fn identity(&self) -> Option<Identity> {
        self.path.exists().then_some((0, 0))
    }
}
