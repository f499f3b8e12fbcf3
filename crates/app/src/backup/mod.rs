//! Makes backups and restores them: complete files that are read back before they get their names.

mod archive;
mod client;
mod keys;
mod new_file;
mod postgres;
mod report;
mod run;
pub(crate) mod schedule;
mod sqlite;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use contact_hub_storage::DatabaseUrl;

pub(crate) use archive::Kind;
pub(crate) use keys::{KeyCheck, KnownKeys};
pub(crate) use report::{Report, megabytes};
pub(crate) use run::{Copied, Run};

use new_file::NewFile;

/// A file that exists may be replaced by a backup.
pub(crate) struct Replacing {
    /// The named file with the master keys, which may not.
    pub(crate) key_file: Option<PathBuf>,
}

/// Backs a database up into a new file.
pub(crate) fn create(
    url: &DatabaseUrl,
    target: &Path,
    replacing: Option<&Replacing>,
    run: &mut Run<'_>,
) -> Result<Copied> {
    if target.exists() {
        let Some(Replacing { key_file }) = replacing else {
            bail!("{} exists: choose another name, or overwrite it with --force", target.display());
        };
        if key_file.as_ref().is_some_and(|file| is_same(file, target)) {
            bail!("{} has the master keys: choose another name", target.display());
        }
    }
    if let DatabaseUrl::Sqlite(source) = url
        && files_of(source).iter().any(|file| is_same(file, target))
    {
        bail!("{} belongs to the database itself: choose another name", target.display());
    }
    let new = NewFile::beside(target)?;
    let contents = match url {
        DatabaseUrl::Sqlite(source) => sqlite::back_up(Path::new(source), new.path(), run),
        DatabaseUrl::Postgres(address) => postgres::back_up(url, address, new.path(), run),
    };
    let contents = contents.with_context(|| format!("the database {url} is not backed up"))?;
    let bytes = new.publish(replacing.is_some())?;
    Ok(Copied { bytes, contents })
}

/// Restores a backup into a database that is empty.
pub(crate) fn restore(backup: &Path, url: &DatabaseUrl, run: &mut Run<'_>) -> Result<Copied> {
    let kind = Kind::of(backup)?;
    let bytes = fs::metadata(backup).map(|found| found.len()).unwrap_or_default();
    let contents = match (kind, url) {
        (Kind::Sqlite, DatabaseUrl::Sqlite(target)) => {
            sqlite::restore(backup, Path::new(target), url, run)
        }
        (Kind::Postgres, DatabaseUrl::Postgres(address)) => {
            postgres::restore(backup, url, address, run)
        }
        (kind, _) => bail!(
            "{} is a backup of {}: give the address of such a database with --database-url",
            backup.display(),
            kind.name()
        ),
    };
    let contents = contents.with_context(|| format!("{} is not restored", backup.display()))?;
    Ok(Copied { bytes, contents })
}

/// The files of a database of SQLite, and that of its master keys.
fn files_of(database: &str) -> [PathBuf; 4] {
    let beside = |end| PathBuf::from(format!("{database}{end}"));
    [beside(""), beside("-wal"), beside("-shm"), Path::new(database).with_extension("key")]
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
