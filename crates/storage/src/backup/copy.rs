//! Copies a SQLite database, page by page, while others use it.
//!
//! All steps read one snapshot. In the write-ahead log's mode that blocks no writer; the log only cannot be reused
//! from its beginning until the copy is done. Without the snapshot each write of another process would start the copy
//! anew. `VACUUM INTO` is not used: it may give rows new ids, and the index of the search refers to contacts by theirs. It
//! also took two to five times as long for the same database, while writes took half as long again.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::BackupError;

/// How many pages are copied between two looks at the cancellation: 4 MiB.
const PAGES: i32 = 1024;

/// How long the copy waits for a lock, such as that of a recovery after a crash.
const LOCKED_FOR: Duration = Duration::from_secs(10);

/// How far a copy is, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct CopyProgress {
    /// What is copied.
    pub copied: u64,
    /// The size of the database.
    pub total: u64,
}

/// The size of a copy of this database, in bytes.
pub fn database_bytes(file: &Path) -> Result<u64, BackupError> {
    let source = open(file)?;
    Ok(number(&source, "PRAGMA page_count")?.saturating_mul(number(&source, "PRAGMA page_size")?))
}

/// Copies a database into an existing empty file. The copy has no write-ahead log, so that it is one file.
pub fn copy_database(
    from: &Path,
    to: &Path,
    cancelled: &AtomicBool,
    progress: &mut dyn FnMut(CopyProgress),
) -> Result<(), BackupError> {
    let source = open(from)?;
    source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let bytes = number(&source, "PRAGMA page_size")?;
    let mut copy = open(to)?;
    // The caller flushes the file to the disk, and deletes it if it is incomplete.
    copy.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
    {
        let backup = Backup::new(&source, &mut copy)?;
        loop {
            if cancelled.load(Ordering::Relaxed) {
                return Err(BackupError::Cancelled);
            }
            let step = backup.step(PAGES)?;
            let seen = backup.progress();
            let pages = |number: i32| u64::try_from(number).unwrap_or_default() * bytes;
            progress(CopyProgress {
                copied: pages(seen.pagecount - seen.remaining),
                total: pages(seen.pagecount),
            });
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                _ => return Err(BackupError::Database("the database is locked".into())),
            }
        }
    }
    drop(copy);
    // The first page was copied with the mark of a write-ahead log.
    open(to)?.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")?;
    Ok(())
}

/// Opens a file that exists. SQLite opens a file that it may not write to for reading only.
pub(super) fn open(file: &Path) -> Result<Connection, BackupError> {
    contact_hub_sqlite_files::install().map_err(|error| BackupError::Database(error.into()))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(LOCKED_FOR)?;
    Ok(connection)
}

fn number(connection: &Connection, pragma: &str) -> Result<u64, BackupError> {
    let number = connection.query_row(pragma, [], |row| row.get::<_, i64>(0))?;
    Ok(u64::try_from(number).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const WRITES: u32 = 200;

    fn rows(connection: &Connection) -> u32 {
        let count = "SELECT count(*) FROM numbers";
        connection.query_row(count, [], |row| row.get(0)).expect("a count")
    }

    #[test]
    fn a_copy_is_one_snapshot_while_another_connection_writes() {
        let directory = TempDir::new().expect("a directory");
        let (from, to) = (directory.path().join("hub.db"), directory.path().join("copy.db"));
        std::fs::write(&from, "").expect("a file");
        std::fs::write(&to, "").expect("a file");
        let writer = open(&from).expect("it opens");
        let fill = "PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER, b BLOB); \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) \
             INSERT INTO numbers SELECT i, randomblob(4000) FROM n";
        writer.execute_batch(fill).expect("rows");
        let mut steps = 0;
        let mut write = |_progress| {
            steps += 1;
            for _ in 0..WRITES {
                writer
                    .execute("INSERT INTO numbers VALUES (0, NULL)", [])
                    .expect("no writer waits");
            }
        };
        copy_database(&from, &to, &AtomicBool::new(false), &mut write).expect("a copy");
        assert!(steps > 5, "{steps} steps");
        assert_eq!(rows(&open(&to).expect("it opens")), 9000, "one snapshot");
        assert_eq!(rows(&writer), 9000 + steps * WRITES);
        let names = std::fs::read_dir(directory.path()).expect("a directory");
        let beside =
            names.flatten().filter(|it| it.file_name().to_string_lossy().starts_with("copy"));
        assert_eq!(beside.count(), 1, "a copy is one file");
    }

    #[test]
    fn a_copy_stops_when_it_is_cancelled() {
        let directory = TempDir::new().expect("a directory");
        let (from, to) = (directory.path().join("hub.db"), directory.path().join("copy.db"));
        for file in [&from, &to] {
            std::fs::write(file, "").expect("a file");
        }
        let copied = copy_database(&from, &to, &AtomicBool::new(true), &mut |_progress| ());
        assert!(matches!(copied, Err(BackupError::Cancelled)), "{copied:?}");
    }
}
