//! Locks on rows.

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// A lock on the selected rows until the transaction ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lock {
    /// No lock.
    None,
    /// For rows that will be changed or deleted. Rows that refer to them wait.
    ForUpdate,
    /// For rows that will be changed, except those that another transaction has locked: they are not returned.
    SkipLocked,
    /// For rows that will change, or whose lock serialises inserts of child rows. Rows that refer to them can still be
    /// inserted.
    ForNoKeyUpdate,
    /// For rows that must not change.
    ForShare,
    /// For rows that must exist. Their columns may change meanwhile, unless the change takes [`Self::ForUpdate`].
    ForKeyShare,
}

impl Lock {
    /// Appended to a SELECT.
    pub(crate) const fn on(self, connection: &Connection) -> &'static str {
        match (connection, self) {
            // A transaction that writes has held the database's only write lock since it began.
            (Connection::Sqlite(_), _) | (_, Self::None) => "",
            (_, Self::ForUpdate) => " FOR UPDATE",
            (_, Self::SkipLocked) => " FOR UPDATE SKIP LOCKED",
            (_, Self::ForNoKeyUpdate) => " FOR NO KEY UPDATE",
            (_, Self::ForShare) => " FOR SHARE",
            (_, Self::ForKeyShare) => " FOR KEY SHARE",
        }
    }
}

/// Appended to a SELECT of rows that will be changed, to lock them in the order of their ids. Only locks need that
/// order: without it SQLite keeps the index that serves the condition.
pub(crate) const fn for_update_by_id(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " ORDER BY id FOR UPDATE",
        Connection::Sqlite(_) => "",
    }
}

/// Takes the advisory lock with this key: other transactions wait for it until this one ends.
pub(crate) fn lock_for_all(connection: &mut Connection, key: i64) -> Result<(), Failure> {
    if let Connection::Postgres(_) = connection {
        connection.execute(statement("SELECT pg_advisory_xact_lock(?)").bind(key))?;
    }
    Ok(())
}
