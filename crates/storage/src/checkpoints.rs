//! Copies the write-ahead log of SQLite to the database beside the writers.
//!
//! SQLite does that at the end of a commit, once the log has reached a size, while the next write waits. A bulk of 1000
//! rows took a quarter longer for it. Here a connection of its own copies most of the log as it grows, so little is left at
//! that size ([`COPIED_BY_WRITERS`]), which also remains the bound if this task falls behind or fails.

use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::Integer;
use tokio::time::sleep;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::connections::opener::Opener;
use crate::failure::Failure;
use crate::statement::statement;

/// The log is copied when this many of its pages are not yet in the database. With fewer, pages that many commits
/// change are copied more often.
const COPIED_BESIDE: i32 = 2048;

/// A commit copies the rest of the log if it has this many pages. The next write begins the log anew if all of it is in
/// the database and nobody reads it. That never happens between two passes of this task while writes follow each other.
pub(crate) const COPIED_BY_WRITERS: u64 = 16_384;

/// The size of a log of so many pages of 4 KiB, which files of earlier versions have.
pub(crate) const LOG_BYTES: u64 = COPIED_BY_WRITERS * 4096;

/// How long a check waits for further commits.
const PAUSE: Duration = Duration::from_millis(10);

/// The checkpoints of a database.
pub struct Checkpoints {
    storage: Storage,
    opener: Opener,
    connection: Option<Connection>,
}

#[derive(QueryableByName)]
struct Progress {
    /// The pages in the log.
    #[diesel(sql_type = Integer)]
    log: i32,
    /// Those that are in the database too.
    #[diesel(sql_type = Integer)]
    checkpointed: i32,
}

impl Storage {
    /// The checkpoints; `None` with PostgreSQL, which makes its own.
    #[must_use]
    pub fn checkpoints(&self) -> Option<Checkpoints> {
        self.opener().file()?;
        Some(Checkpoints {
            storage: self.clone(),
            opener: self.opener().uncounted(),
            connection: None,
        })
    }
}

impl Checkpoints {
    /// Waits for a commit, and copies the log if it has grown. Returns whether it was copied.
    pub async fn after_commit(&mut self) -> Result<bool, StoreError> {
        self.storage.committed().await;
        sleep(PAUSE).await;
        let (opener, connection) = (self.opener.clone(), self.connection.take());
        let copied = self.storage.dispatch().runtime.spawn_blocking(move || {
            let connection = connection.map_or_else(|| opener.open(), Ok);
            let mut connection =
                connection.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
            let copied = copy(&mut connection).map_err(Failure::into_store_error)?;
            Ok::<_, StoreError>((connection, copied))
        });
        let (connection, copied) =
            copied.await.map_err(|panic| StoreError::Failed(Box::new(panic)))??;
        self.connection = Some(connection);
        Ok(copied)
    }
}

/// Copies the log, without blocking readers or writers, if enough of it is not in the database.
fn copy(connection: &mut Connection) -> Result<bool, Failure> {
    let progress: Option<Progress> = connection.first(statement("PRAGMA wal_checkpoint(NOOP)"))?;
    let is_due = progress.is_some_and(|it| it.log.saturating_sub(it.checkpointed) >= COPIED_BESIDE);
    if is_due {
        connection.batch("PRAGMA wal_checkpoint(PASSIVE)")?;
    }
    Ok(is_due)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::tests::{execute, on_file};

    /// Writes 6144 pages and a few more.
    const GROW: &str = "INSERT INTO blobs WITH RECURSIVE n(i) AS \
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT randomblob(1048576) FROM n";

    fn progress(storage: &Storage) -> (i32, i32) {
        let mut connection = storage.opener().open().expect("it opens");
        let progress = connection.first(statement("PRAGMA wal_checkpoint(NOOP)")).expect("asked");
        let Progress { log, checkpointed } = progress.expect("one row");
        (log, checkpointed)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_log_that_has_grown_is_copied_and_a_small_one_is_not() {
        let directory = TempDir::new().expect("a directory");
        let storage = on_file(&directory.path().join("hub.db"), 2);
        let mut checkpoints = storage.checkpoints().expect("SQLite has them");
        execute(&storage, "CREATE TABLE blobs (b BLOB)").await.expect("written");
        assert!(!checkpoints.after_commit().await.expect("checked"));
        execute(&storage, GROW).await.expect("written");
        let (log, checkpointed) = progress(&storage);
        assert!(log - checkpointed > COPIED_BESIDE, "no writer has copied {log} pages");
        assert!(checkpoints.after_commit().await.expect("copied"));
        assert_eq!(progress(&storage), (log, log));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_writer_copies_a_log_that_nobody_has_copied() {
        let directory = TempDir::new().expect("a directory");
        let storage = on_file(&directory.path().join("hub.db"), 2);
        execute(&storage, "CREATE TABLE blobs (b BLOB)").await.expect("written");
        for _time in 0..6 {
            execute(&storage, GROW).await.expect("written");
        }
        let (log, checkpointed) = progress(&storage);
        assert!(u64::from(log.unsigned_abs()) > COPIED_BY_WRITERS);
        assert_eq!(checkpointed, log);
    }
}
