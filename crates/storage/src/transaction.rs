//! One transaction for each unit of work.

use crate::connection::Connection;
use crate::failure::Failure;

/// Runs a unit in the transaction that was begun, and commits; rolls back on an error. When the unit panics or the
/// rollback fails, the connection counts as broken and is closed, which rolls back too.
pub(crate) fn transaction<T>(
    connection: &mut Connection,
    unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let ended = unit(connection).and_then(|value| {
        connection.commit()?;
        Ok(value)
    });
    if ended.is_err() {
        connection.roll_back().ok();
    }
    ended
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
