//! Advice for a command that may not use the file of the database, because it belongs to another user.

use contact_hub_storage::DatabaseUrl;

/// The error with the advice, if there is any.
pub(crate) fn explained(error: anyhow::Error, url: &DatabaseUrl) -> anyhow::Error {
    match advice(url) {
        Some(advice) => error.context(advice),
        None => error,
    }
}

/// What to do if this user may not use the file of SQLite or its directory, and another user owns it.
pub(crate) fn advice(url: &DatabaseUrl) -> Option<String> {
    let DatabaseUrl::Sqlite(file) = url else { return None };
    let (place, owner) = foreign(file)?;
    Some(format!(
        "{place} belongs to the user with the id {owner}: run the command as that user, for example with sudo -u '#{owner}'"
    ))
}

/// The first of the file and its directories that this user can see but not use, and its owner. A file that does not exist
/// belongs to nobody.
#[cfg(unix)]
fn foreign(file: &str) -> Option<(String, u32)> {
    use std::io::ErrorKind;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::fs::{Access, access};

    if std::fs::metadata(file).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return None;
    }
    for place in Path::new(file).ancestors() {
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        let Ok(found) = std::fs::metadata(place) else { continue };
        // SQLite creates further files beside that of the database.
        let needed = if found.is_dir() { Access::EXEC_OK } else { Access::READ_OK };
        let is_denied = access(place, needed | Access::WRITE_OK).is_err();
        if is_denied && found.uid() != rustix::process::geteuid().as_raw() {
            return Some((place.display().to_string(), found.uid()));
        }
        if found.is_dir() {
            break;
        }
    }
    None
}

#[cfg(not(unix))]
const fn foreign(_file: &str) -> Option<(String, u32)> {
    None
}
