//! One transaction for each unit of work.

use crate::connection::Connection;
use crate::failure::Failure;

/// Runs a unit in the transaction that was begun, and commits; rolls back on an error. When the unit panics or the
/// rollback fails, the connection counts as broken and is closed, which rolls back too.
pub(crate) fn transaction<T>(
    connection: &mut Connection,
    unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    transaction_if(connection, |_value| true, unit)
}

/// As [`transaction`], for a unit that decides by its value whether to commit.
pub(crate) fn transaction_if<T>(
    connection: &mut Connection,
    commits: impl FnOnce(&T) -> bool,
    unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let ended = unit(connection);
    let commits = ended.as_ref().ok().map(commits);
    end(connection, commits)?;
    ended
}

/// Commits or rolls back, as the unit decided. A unit that failed, whose error is reported, is rolled back.
fn end(connection: &mut Connection, commits: Option<bool>) -> Result<(), Failure> {
    let ended = match commits {
        Some(true) => connection.commit(),
        Some(false) => connection.roll_back(),
        None => {
            connection.roll_back().ok();
            return Ok(());
        }
    };
    if ended.is_err() {
        connection.roll_back().ok();
    }
    Ok(ended?)
}

/// Begins a transaction that [`transaction`] ends.
///
/// SQLite takes the write lock at once: a transaction that first reads and then writes would fail, not wait, if
/// another process wrote in between.
pub(crate) fn begin(connection: &mut Connection) -> Result<(), Failure> {
    let text = match connection {
        Connection::Postgres(_) => "BEGIN",
        Connection::Sqlite(_) => "BEGIN IMMEDIATE",
    };
    Ok(connection.begin(text)?)
}

/// As [`begin`], for the writes of several calls: its statements wait for locks only briefly, and then fail, so that a lock
/// that one call waits for does not block the others. On SQLite a transaction that writes waits for none. PostgreSQL
/// finds rows along indexes regardless of its statistics, so that plans are kept.
pub(crate) fn begin_shared(connection: &mut Connection) -> Result<(), Failure> {
    begin_with(
        connection,
        "BEGIN; SET LOCAL lock_timeout = '200ms'; SET LOCAL enable_seqscan = off",
    )
}

/// As [`begin`], for statements that PostgreSQL runs along indexes regardless of its statistics, and with one plan for
/// all values: a table that is small for most of the time grows within seconds, and a plan takes longer than these
/// statements.
pub(crate) fn begin_along_indexes(connection: &mut Connection) -> Result<(), Failure> {
    begin_with(
        connection,
        "BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; \
         SET LOCAL plan_cache_mode = force_generic_plan",
    )
}

/// As [`begin_along_indexes`], with a commit that does not wait for the disk.
pub(crate) fn begin_claim(connection: &mut Connection) -> Result<(), Failure> {
    begin_with(
        connection,
        "BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; \
         SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL synchronous_commit = off",
    )
}

fn begin_with(connection: &mut Connection, postgres: &'static str) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => Ok(connection.begin(postgres)?),
        Connection::Sqlite(_) => begin(connection),
    }
}
