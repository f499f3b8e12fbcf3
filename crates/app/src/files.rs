//! Checks the permissions of files with secrets.

use std::path::Path;

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
