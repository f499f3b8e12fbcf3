//! Files with secrets and their directories.

use std::fs::File;
use std::io;
use std::path::Path;

/// The directory of a file.
pub(crate) fn directory_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or_else(|| Path::new("."))
}

/// Flushes a directory, so that the names in it survive a failure of the machine.
pub(crate) fn sync(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// How many bytes the user may still write to the disk of a directory; `None` where that is not known.
pub(crate) fn free_bytes(directory: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(directory).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = directory;
        None
    }
}

/// Warns when users other than its owner may read a file. The mode is not changed, since someone may have chosen it.
pub fn warn_unless_private(file: &Path) {
    #[cfg(unix)]
    if let Ok(found) = std::fs::metadata(file) {
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            let (file, mode) = (file.display().to_string(), format!("{mode:03o}"));
            tracing::warn!(
                file,
                mode,
                "users other than the owner can read a file with secrets; set its mode to 600"
            );
        }
    }
}
