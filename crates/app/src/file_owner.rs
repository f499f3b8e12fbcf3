//! Advice for a command that cannot use the file of the database, because it belongs to another user or is read-only, or
//! because its directory does not exist.

use std::io::ErrorKind;
use std::path::Path;

use contact_hub_storage::DatabaseUrl;

use crate::files::directory_of;

/// The error with the advice, if there is any.
pub(crate) fn explained(error: anyhow::Error, url: &DatabaseUrl) -> anyhow::Error {
    match advice(url) {
        Some(advice) => error.context(advice),
        None => error,
    }
}

/// What to do if this user cannot use the file of SQLite or its directory.
pub(crate) fn advice(url: &DatabaseUrl) -> Option<String> {
    let DatabaseUrl::Sqlite(file) = url else { return None };
    let directory = directory_of(Path::new(file));
    if is_missing(directory) {
        return Some(format!("the directory {} does not exist: create it", directory.display()));
    }
    let (place, owner) = unusable(file)?;
    Some(match owner {
        Some(owner) => format!(
            "{place} belongs to the user with the id {owner}: run the command as that user, for example with sudo -u \
             '#{owner}'"
        ),
        None => format!(
            "{place} is read-only: SQLite writes to the database and creates files beside it"
        ),
    })
}

fn is_missing(place: &Path) -> bool {
    std::fs::metadata(place).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// The first of the file and its directories that this user can see but not use, and its owner if it is another user. A
/// file that does not exist belongs to nobody, but cannot be created on a read-only file system.
#[cfg(unix)]
fn unusable(file: &str) -> Option<(String, Option<u32>)> {
    use std::os::unix::fs::MetadataExt as _;

    use rustix::fs::{Access, access};
    use rustix::io::Errno;

    let is_missing = is_missing(Path::new(file));
    for place in Path::new(file).ancestors() {
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        let Ok(found) = std::fs::metadata(place) else { continue };
        // SQLite creates further files beside that of the database.
        let needed = if found.is_dir() { Access::EXEC_OK } else { Access::READ_OK };
        let denied = access(place, needed | Access::WRITE_OK).err();
        let is_read_only = denied == Some(Errno::ROFS);
        if is_read_only || (denied.is_some() && !is_missing) {
            let is_own = found.uid() == rustix::process::geteuid().as_raw();
            let owner = (!is_read_only && !is_own).then_some(found.uid());
            return Some((place.display().to_string(), owner));
        }
        if found.is_dir() {
            break;
        }
    }
    None
}

#[cfg(not(unix))]
const fn unusable(_file: &str) -> Option<(String, Option<u32>)> {
    None
}
