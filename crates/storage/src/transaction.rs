//! One transaction for one unit of work.

use crate::connection::Connection;
use crate::failure::Failure;

/// Runs a unit between BEGIN and COMMIT; its error rolls everything back.
///
/// SQLite takes the write lock at once: a transaction that first reads and then writes would fail, not wait, when
/// another process wrote in between.
pub(crate) fn transaction<T>(
    connection: &mut Connection,
    unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let ended = unit(connection).and_then(|value| {
        connection.batch("COMMIT")?;
        Ok(value)
    });
    if ended.is_err() {
        // When this fails too, the connection is found dead and dropped.
        connection.batch("ROLLBACK").ok();
    }
    ended
}

/// Begins a transaction that [`transaction`] ends.
pub(crate) fn begin(connection: &mut Connection) -> Result<(), Failure> {
    let text = match connection {
        Connection::Postgres(_) => "BEGIN",
        Connection::Sqlite(_) => "BEGIN IMMEDIATE",
    };
    Ok(connection.batch(text)?)
}
