//! Truncates the write-ahead log of SQLite after a peak.
//!
//! SQLite truncates its log only with the next write. A log that has grown in a peak would keep its size until then,
//! and a full disk would stay full. After an erasure the log is truncated at once, because it contains what was erased.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use diesel::QueryableByName;
use diesel::sql_types::Integer;

use contact_hub_domain::ports::StoreError;

use crate::checkpoints::LOG_BYTES;
use crate::connections::file::DatabaseFile;
use crate::connections::opener::Opener;
use crate::failure::Failure;
use crate::permits::Share;
use crate::statement::statement;
use crate::storage::Storage;

/// A log up to this size is kept, since the next writes reuse it.
const KEPT: u64 = 8 * 1024 * 1024;

/// A log of this size is truncated between two writes, which wait for its readers. SQLite itself begins a log anew only when
/// nobody reads it, which never happens while searches overlap.
const LARGE: u64 = 2 * LOG_BYTES;

/// Writes a checkpoint without blocking readers or writers. So the truncation, which holds the write lock, has little left
/// to copy.
const COPY: &str = "PRAGMA wal_checkpoint(PASSIVE)";

const TRUNCATE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// What a checkpoint returns.
#[derive(QueryableByName)]
struct Checkpoint {
    /// Whether somebody used the log for longer than the truncation waited.
    #[diesel(sql_type = Integer)]
    busy: i32,
}

/// How long a truncation waits for readers, while writers wait for it.
const READERS_WITHIN: Duration = Duration::from_millis(250);

/// How often it is tried before it is left to the upkeep. In between, writers take their turn.
const ERASURE_TRIES: usize = 4;

/// The write-ahead log of a database.
pub struct WriteAheadLog {
    path: PathBuf,
    storage: Storage,
    /// The size and the time of the last change at the previous check.
    seen: Option<(u64, SystemTime)>,
    /// Whether something erased may still be in it.
    has_erased: Arc<AtomicBool>,
}

impl Storage {
    /// The write-ahead log; `None` with PostgreSQL, which manages its own.
    #[must_use]
    pub fn write_ahead_log(&self) -> Option<WriteAheadLog> {
        let path = self.opener().file()?.log();
        let has_erased = Arc::clone(self.has_erased());
        Some(WriteAheadLog { path, storage: self.clone(), seen: None, has_erased })
    }

    /// Truncates the log of SQLite after an erasure. If it is in use for longer, this is left to the upkeep.
    pub(crate) async fn empty_log(&self) {
        if self.opener().file().is_none() {
            return;
        }
        let (opener, flag) =
            (self.opener().waiting_for_locks(READERS_WITHIN), Arc::clone(self.has_erased()));
        let emptied = self.dispatch().runtime.spawn_blocking(move || {
            for _ in 0..ERASURE_TRIES {
                if without_erased(&flag, || truncate(&opener))? {
                    break;
                }
            }
            Ok::<(), StoreError>(())
        });
        if let Ok(Err(error)) = emptied.await {
            tracing::debug!(%error, "the write-ahead log was not truncated; the upkeep retries");
        }
    }
}

impl WriteAheadLog {
    /// Truncates the log when it has grown and was not written to since the previous call, when it contains something erased,
    /// or when it is very large, for which writers wait a moment. If it is in use, nothing happens, and the next call tries
    /// again.
    pub async fn truncate_when_quiet(&mut self) -> Result<(), StoreError> {
        let found = std::fs::metadata(&self.path);
        let now = found.and_then(|log| Ok((log.len(), log.modified()?))).ok();
        let before = std::mem::replace(&mut self.seen, now);
        let exceeds = |limit| now.is_some_and(|(size, _)| size > limit);
        let has_erased = self.has_erased.load(Ordering::Acquire);
        if !has_erased && !exceeds(LARGE) && (!exceeds(KEPT) || now != before) {
            return Ok(());
        }
        self.truncate_within(Duration::ZERO).await?;
        if exceeds(LARGE) && !is_empty(&self.path) {
            // It takes the turn of a writer: among busy writers the lock would never be free. Most is copied by now.
            let writer = &self.storage.pools().writer;
            let _turn = self.storage.dispatch().permit(writer, Share::COMMON).await?;
            self.truncate_within(READERS_WITHIN).await?;
        }
        Ok(())
    }

    /// Copies the whole log into the database file and truncates it, so that the file is complete when the service has ended. If
    /// others use the log for longer, it stays as it is.
    pub async fn empty(self) -> Result<(), StoreError> {
        self.truncate_within(READERS_WITHIN).await
    }

    /// Truncates the log, unless others use it for longer.
    async fn truncate_within(&self, wait: Duration) -> Result<(), StoreError> {
        let opener = self.storage.opener().waiting_for_locks(wait);
        let flag = Arc::clone(&self.has_erased);
        let truncated = self
            .storage
            .dispatch()
            .runtime
            .spawn_blocking(move || without_erased(&flag, || truncate(&opener)).map(drop));
        truncated.await.map_err(|panic| StoreError::Failed(Box::new(panic)))?
    }
}

/// Whether the log of a file has entries.
pub(crate) fn has_entries(file: &DatabaseFile) -> bool {
    !is_empty(&file.log())
}

fn is_empty(log: &Path) -> bool {
    std::fs::metadata(log).map_or(true, |log| log.len() == 0)
}

/// Truncates the log and withdraws the flag, if that succeeded. The flag is withdrawn before: an erasure sets it before its
/// commit, and until then its transaction keeps the log from being truncated.
fn without_erased(
    flag: &AtomicBool,
    truncate: impl FnOnce() -> Result<bool, StoreError>,
) -> Result<bool, StoreError> {
    let had_erased = flag.swap(false, Ordering::AcqRel);
    let truncated = truncate();
    if had_erased && !matches!(truncated, Ok(true)) {
        flag.store(true, Ordering::Release);
    }
    truncated
}

/// Returns whether nobody used the log.
fn truncate(opener: &Opener) -> Result<bool, StoreError> {
    let mut connection = opener.open().map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    let failed = |error| Failure::from(error).into_store_error();
    connection.batch(COPY).map_err(failed)?;
    let done: Option<Checkpoint> =
        connection.first(statement(TRUNCATE).uncached()).map_err(failed)?;
    Ok(done.is_some_and(|done| done.busy == 0))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::LARGE;
    use crate::tests::{execute, on_file};

    const PEAK: &str = "CREATE TABLE peak AS WITH RECURSIVE n(i) AS \
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24) SELECT randomblob(1048576) AS b FROM n";

    #[tokio::test(flavor = "multi_thread")]
    async fn a_very_large_log_is_truncated_although_it_is_written_to() {
        let directory = TempDir::new().expect("a directory");
        let storage = on_file(&directory.path().join("hub.db"), 2);
        let mut log = storage.write_ahead_log().expect("SQLite has one");
        let size = || std::fs::metadata(directory.path().join("hub.db-wal")).expect("a log").len();
        let mut reader = storage.opener().open().expect("it opens");
        execute(&storage, "CREATE TABLE small (n INTEGER)").await.expect("written");
        reader.batch("BEGIN; SELECT * FROM small").expect("it reads");
        for _time in 0..6 {
            execute(&storage, PEAK).await.expect("written");
            execute(&storage, "DROP TABLE peak").await.expect("written");
        }
        reader.batch("COMMIT").expect("it has read");
        assert!(size() > LARGE);
        log.truncate_when_quiet().await.expect("truncated");
        assert_eq!(size(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_reader_of_the_log_postpones_the_truncation_and_no_writer_waits() {
        let directory = TempDir::new().expect("a directory");
        let storage = on_file(&directory.path().join("hub.db"), 2);
        let write = async |text| execute(&storage, text).await.expect("written");
        write("CREATE TABLE small (n INTEGER)").await;
        let mut reader = storage.opener().open().expect("it opens");
        reader.batch("BEGIN; SELECT * FROM small").expect("it reads");
        write(PEAK).await;
        let mut log = storage.write_ahead_log().expect("SQLite has one");
        let size = || std::fs::metadata(directory.path().join("hub.db-wal")).expect("a log").len();
        let peak = size();
        for _look in 0..3 {
            log.truncate_when_quiet().await.expect("it is put off");
        }
        assert_eq!(size(), peak, "the reader needs it");
        write("INSERT INTO small VALUES (1)").await;
        reader.batch("COMMIT").expect("it has read");
        log.truncate_when_quiet().await.expect("looked");
        assert!(size() >= peak, "it was written to since the look before");
        log.truncate_when_quiet().await.expect("truncated");
        assert_eq!(size(), 0);
        write("INSERT INTO small VALUES (2)").await;
    }
}
