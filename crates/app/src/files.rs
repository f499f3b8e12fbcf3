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

/// Warns when users other than those who need it may read a file. The mode is not changed, since someone may have chosen it.
pub fn warn_unless_private(file: &Path) {
    #[cfg(unix)]
    if let Ok(found) = std::fs::metadata(file) {
        use std::os::unix::fs::MetadataExt as _;
        let mode = found.mode() & 0o777;
        let is_own = found.uid() == rustix::process::geteuid().as_raw();
        if !is_private(mode, is_own) {
            let (file, mode) = (file.display().to_string(), format!("{mode:03o}"));
            tracing::warn!(
                file,
                mode,
                "users other than the owner can read a file with secrets; set its mode to 600"
            );
        }
    }
}

/// Whether only those may use a file who need it. A process may need its group to read a file of another user, such as a
/// secret that Kubernetes mounts.
#[cfg(unix)]
const fn is_private(mode: u32, is_own: bool) -> bool {
    let of_others = if is_own { 0o077 } else { 0o037 };
    mode & of_others == 0
}

#[cfg(all(test, unix))]
mod tests {
    use super::is_private;

    #[test]
    fn a_group_may_read_the_file_of_another_user() {
        for (mode, is_own, expected) in [
            (0o600, true, true),
            (0o440, true, false),
            (0o440, false, true),
            (0o640, false, true),
            (0o460, false, false),
            (0o444, false, false),
        ] {
            assert_eq!(is_private(mode, is_own), expected, "{mode:03o}");
        }
    }
}
