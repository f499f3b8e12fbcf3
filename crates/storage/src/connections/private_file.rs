//! Creates the SQLite file so that only its owner may read it.

use std::fs::OpenOptions;
use std::io::ErrorKind;

/// Creates the file with mode 0600 unless it exists. SQLite gives its log and its shared memory the mode of the
/// database. If the file cannot be created, SQLite reports why when it opens it.
pub(crate) fn create(path: &str) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => tracing::debug!(%error, "the database file was not created ahead"),
    }
}
