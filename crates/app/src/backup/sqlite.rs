//! Backups of SQLite: copies of the file while it is in use.

use std::path::Path;

use anyhow::{Result, bail};
use contact_hub_storage::{
    BackupError, CheckDepth, CopyProgress, DatabaseContents, DatabaseUrl, Destination, check_copy,
    copy_database, database_bytes, destination, expire_cursors_of_copy,
};

use super::new_file::NewFile;
use super::report::{megabytes, require_usable};
use super::run::Run;
use crate::files;

/// Copies the database into an empty file, and reads the copy back.
pub(super) fn back_up(source: &Path, to: &Path, run: &mut Run<'_>) -> Result<DatabaseContents> {
    copy(source, to, run)?;
    (run.progress)("the copy is checked".to_owned());
    Ok(check_copy(to, CheckDepth::Pages, run.cancelled)?)
}

/// Copies a backup to the place of a database, where none may be.
pub(super) fn restore(
    backup: &Path,
    target: &Path,
    url: &DatabaseUrl,
    run: &mut Run<'_>,
) -> Result<DatabaseContents> {
    require_free(url)?;
    let new = NewFile::beside(target)?;
    copy(backup, new.path(), run)?;
    (run.progress)("the copy is checked".to_owned());
    let contents = check_copy(new.path(), CheckDepth::Everything, run.cancelled)?;
    require_usable(&contents.state)?;
    if contents.has_feed() {
        expire_cursors_of_copy(new.path())?;
    }
    // A service that was started in the meantime would continue with a deleted file, and its write-ahead log would be
    // mistaken for that of the restored database.
    require_free(url)?;
    // A file that exists by now is a database without tables.
    new.publish(target.exists())?;
    Ok(contents)
}

/// Fails unless a database may be restored to this address.
fn require_free(url: &DatabaseUrl) -> Result<()> {
    match destination(url)? {
        Destination::Free => Ok(()),
        Destination::InUse => bail!("{url} is in use: stop the service first"),
        Destination::Filled => {
            bail!("{url} is not empty: move it away, or give another --database-url")
        }
        Destination::LeftOver(file) => bail!(
            "{} is left of a database that was moved or deleted, and may belong to a running service: stop the service, \
             and move the file away",
            file.display()
        ),
    }
}

fn copy(from: &Path, to: &Path, run: &mut Run<'_>) -> Result<()> {
    let needed = database_bytes(from)?;
    if let Some(free) = files::free_bytes(files::directory_of(to))
        && free < needed
    {
        bail!(
            "{} needs {}, but the disk has {} left",
            from.display(),
            megabytes(needed),
            megabytes(free)
        );
    }
    let progress = &mut run.progress;
    let mut show = |CopyProgress { copied, total }: CopyProgress| {
        progress(format!("{} of {} are copied", megabytes(copied), megabytes(total)));
    };
    match copy_database(from, to, run.cancelled, &mut show) {
        Err(BackupError::DiskFull) => bail!("the disk is full; the incomplete copy is deleted"),
        copied => Ok(copied?),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use contact_hub_storage::{DatabaseUrl, migrate};
    use tempfile::TempDir;

    use super::restore;
    use crate::backup::Run;

    #[test]
    fn a_database_that_is_created_during_a_restore_is_not_overwritten() {
        let place = TempDir::new().expect("a directory");
        let (backup, target) = (place.path().join("backup.db"), place.path().join("hub.db"));
        let url = |path: &std::path::Path| -> DatabaseUrl {
            format!("sqlite://{}", path.display()).parse().expect("an address")
        };
        migrate(&url(&backup)).expect("a backup");
        let cancelled = Arc::<AtomicBool>::default();
        let mut began = false;
        let mut progress = |_text| {
            if !std::mem::replace(&mut began, true) {
                migrate(&url(&target)).expect("another database");
            }
        };
        let mut run = Run { cancelled: &cancelled, progress: &mut progress };
        let restored = restore(&backup, &target, &url(&target), &mut run);
        let error = restored.expect_err("an error").to_string();
        assert!(error.contains("is not empty"), "{error}");
    }
}
