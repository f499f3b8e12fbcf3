//! The files as SQLite writes them.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fs;
use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::{Connection, OpenFlags, params};

use crate::{NAME, install};

const ERASED: &str = "erased-person";

/// A database whose pages are divided, and of whose rows some are deleted in the end. Returns how often their text is still
/// in the file.
fn left_in(file: &Path, file_system: &CStr) -> usize {
    let mut connection =
        Connection::open_with_flags_and_vfs(file, OpenFlags::default(), file_system).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; \
             CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX names ON people (name)",
        )
        .unwrap();
    let mut number = 1_u64;
    for _transaction in 0..20 {
        let written = connection.transaction().unwrap();
        for row in 0..200 {
            // Names in no order and of any length, so that pages are divided everywhere and rebuilt.
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let who = if row % 10 == 0 { ERASED } else { "another-person" };
            let name = format!(
                "{number:020}-{who}{:x<1$}",
                "",
                usize::try_from(number >> 20 & 511).unwrap()
            );
            written.execute("INSERT INTO people (name) VALUES (?)", [name]).unwrap();
        }
        written.commit().unwrap();
    }
    let deleted =
        connection.execute("DELETE FROM people WHERE name LIKE '%' || ? || '%'", [ERASED]);
    assert_eq!(deleted, Ok(400));
    let check: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    let bytes = fs::read(file).unwrap();
    bytes.windows(ERASED.len()).filter(|window| *window == ERASED.as_bytes()).count()
}

#[test]
fn no_deleted_text_is_left_in_the_file() {
    let directory = tempfile::tempdir().unwrap();
    install().unwrap();
    install().unwrap();
    let before = left_in(&directory.path().join("before.db"), c"unix");
    assert!(before > 0, "SQLite itself leaves some, otherwise this test would show nothing");
    assert_eq!(left_in(&directory.path().join("after.db"), NAME), 0);
}

/// A connection with a cache of few pages, so that a transaction writes pages to the log before it ends.
fn writer(file: &Path) -> Connection {
    install().unwrap();
    let connection = Connection::open(file).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA cache_size = 10; PRAGMA cache_spill = 10; PRAGMA wal_autocheckpoint = 0; \
             CREATE TABLE IF NOT EXISTS blobs (number INTEGER PRIMARY KEY, bytes BLOB)",
        )
        .unwrap();
    connection
}

/// Writes rows of a page each.
fn put(connection: &Connection, numbers: Range<i64>, byte: u8) {
    let mut upsert = connection
        .prepare("INSERT INTO blobs VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes")
        .unwrap();
    for number in numbers {
        upsert.execute(params![number, [byte; 3000]]).unwrap();
    }
}

/// The bytes that the rows have, by a new connection.
fn seen(file: &Path) -> Vec<(i64, u8)> {
    let connection = Connection::open(file).unwrap();
    let check: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let mut rows = connection.prepare("SELECT number, bytes FROM blobs ORDER BY number").unwrap();
    let rows = rows.query_map([], |row| {
        let bytes: Vec<u8> = row.get(1)?;
        let (first, others) = bytes.split_first().unwrap();
        assert_eq!(others, [*first; 2999]);
        Ok((row.get(0)?, *first))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_log_has_nothing_of_a_small_transaction_before_its_end() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    let length_of_log = || fs::metadata(directory.path().join("hub.db-wal")).unwrap().len();
    let connection = writer(&file);
    let before = length_of_log();
    connection.execute_batch("BEGIN").unwrap();
    put(&connection, 0..25, 1);
    assert_eq!(length_of_log(), before);
    connection.execute_batch("COMMIT").unwrap();
    assert!(length_of_log() > before + 25 * 4096, "{before} and {}", length_of_log());
}

#[test]
fn a_transaction_reads_what_it_has_written() {
    let directory = tempfile::tempdir().unwrap();
    let connection = writer(&directory.path().join("hub.db"));
    put(&connection, 0..30, 1);
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); BEGIN").unwrap();
    put(&connection, 0..20, 2);
    assert_eq!(sum(&connection), 2 * 20 + 10);
    connection.execute_batch("COMMIT").unwrap();
}

#[test]
fn a_database_that_maps_pointers_stays_intact() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    install().unwrap();
    let connection = Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; \
             CREATE TABLE blobs (bytes BLOB); CREATE TABLE others (bytes BLOB)",
        )
        .unwrap();
    for table in ["blobs", "others"] {
        let rows = format!(
            "INSERT INTO {table} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
             SELECT zeroblob(3000) FROM n"
        );
        connection.execute_batch(&rows).unwrap();
    }
    connection.execute_batch("DROP TABLE blobs; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    let check: String = Connection::open(&file)
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn a_large_transaction_does_not_wait_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    let length_of_log = || fs::metadata(directory.path().join("hub.db-wal")).unwrap().len();
    let connection = writer(&file);
    connection.execute_batch("BEGIN").unwrap();
    put(&connection, 0..1000, 1);
    assert!(length_of_log() > 900 * 4096);
    connection.execute_batch("ROLLBACK").unwrap();
    assert_eq!(seen(&file), []);
}

/// Two connections to a file with thirty rows, none of which is in the log.
fn with_rows(file: &Path) -> [Connection; 2] {
    let both = [writer(file), writer(file)];
    put(&both[0], 0..30, 1);
    both[0].execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    both
}

/// The sum of the bytes of the rows, which a connection reads from the log and the database.
fn sum(connection: &Connection) -> i64 {
    let text = "SELECT sum(CAST(hex(substr(bytes, 1, 1)) AS INTEGER)) FROM blobs";
    connection.query_row(text, [], |row| row.get(0)).unwrap()
}

/// Fails if what the first connection has rolled back overwrites a commit of the second.
fn assert_commits_last(file: &Path, first: &Connection, second: &Connection) {
    put(second, 0..3, 3);
    assert_eq!(sum(first), 3 * 3 + 27);
    put(first, 5..6, 4);
    let byte = |number: i64| match number {
        0..3 => 3,
        5 => 4,
        _ => 1,
    };
    let expected: Vec<_> = (0..30).map(|number| (number, byte(number))).collect();
    assert_eq!(seen(file), expected);
}

#[test]
fn what_was_rolled_back_overwrites_no_commit_of_another_connection() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    let [first, second] = with_rows(&file);
    // It changes pages and adds none, so the rollback reads nothing from the log, for which the rest would be written.
    first.execute_batch("BEGIN").unwrap();
    put(&first, 0..30, 2);
    first.execute_batch("ROLLBACK").unwrap();
    assert_commits_last(&file, &first, &second);
}

#[test]
fn a_connection_that_does_not_lock_the_log_keeps_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    let [first, second] = with_rows(&file);
    drop(second);
    first.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE").unwrap();
    put(&first, 0..30, 2);
    first.execute_batch("PRAGMA locking_mode = NORMAL; ROLLBACK").unwrap();
    assert_commits_last(&file, &first, &writer(&file));
}

#[test]
fn without_safe_overwriting_each_commit_is_complete() {
    install().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let name = format!("file:{}?psow=0", directory.path().join("hub.db").display());
    let open = || Connection::open(&name).unwrap();
    let connection = open();
    connection
        .execute_batch(
            "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA wal_autocheckpoint = 0; CREATE TABLE blobs (bytes BLOB)",
        )
        .unwrap();
    for rows in 1..=400_i64 {
        connection.execute("INSERT INTO blobs VALUES (zeroblob(60))", []).unwrap();
        let seen: i64 =
            open().query_row("SELECT count(bytes) FROM blobs", [], |row| row.get(0)).unwrap();
        assert_eq!(seen, rows);
    }
}

#[test]
fn a_database_can_leave_the_log_and_use_it_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hub.db");
    let connection = writer(&file);
    for byte in 1..4 {
        put(&connection, 0..3, byte);
        connection
            .execute_batch("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
            .unwrap();
        assert_eq!(seen(&file), [(0, byte), (1, byte), (2, byte)]);
    }
}

/// A transaction.
#[derive(Clone, Debug)]
struct Written {
    by_first: bool,
    rows: i64,
    more_rows: i64,
    end: End,
    synchronous: &'static str,
}

/// How it ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Commit,
    Rollback,
    /// Commits without what came after a savepoint.
    CommitHalf,
    /// Commits, and copies the log to the database, which then begins anew.
    Checkpoint,
    /// The connection is closed before.
    Close,
}

fn transactions() -> impl Strategy<Value = Vec<Written>> {
    let end = prop::sample::select(vec![
        End::Commit,
        End::Rollback,
        End::CommitHalf,
        End::Checkpoint,
        End::Close,
    ]);
    let synchronous = prop::sample::select(vec!["OFF", "NORMAL", "FULL", "EXTRA"]);
    let one = (any::<bool>(), 0..90_i64, 0..90_i64, end, synchronous).prop_map(
        |(by_first, rows, more_rows, end, synchronous)| Written {
            by_first,
            rows,
            more_rows,
            end,
            synchronous,
        },
    );
    prop::collection::vec(one, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_file_has_what_was_committed(transactions in transactions()) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hub.db");
        let mut connections = [writer(&file), writer(&file)];
        let mut committed = BTreeMap::new();
        for (byte, it) in (1..).zip(transactions) {
            let connection = &mut connections[usize::from(it.by_first)];
            let begin = format!("PRAGMA synchronous = {}; BEGIN", it.synchronous);
            connection.execute_batch(&begin).unwrap();
            put(connection, 0..it.rows, byte);
            connection.execute_batch("SAVEPOINT half").unwrap();
            put(connection, 40..40 + it.more_rows, byte);
            connection.execute_batch(match it.end {
                End::Commit => "COMMIT",
                End::Rollback => "ROLLBACK",
                End::CommitHalf => "ROLLBACK TO half; COMMIT",
                End::Checkpoint => "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)",
                End::Close => "",
            }).unwrap();
            if !matches!(it.end, End::Rollback | End::Close) {
                committed.extend((0..it.rows).map(|number| (number, byte)));
            }
            if matches!(it.end, End::Commit | End::Checkpoint) {
                committed.extend((40..40 + it.more_rows).map(|number| (number, byte)));
            }
            if matches!(it.end, End::Close) {
                *connection = writer(&file);
            }
            prop_assert_eq!(&seen(&file), &committed.clone().into_iter().collect::<Vec<_>>());
        }
    }
}
