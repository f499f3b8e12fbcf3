//! Whether the database is usable.

use diesel::prelude::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::units::Reading;

/// The health of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseHealth {
    /// It works.
    Usable,
    /// It answers, but rejects writes.
    ReadOnly,
    /// SQLite: the file was moved, deleted or replaced.
    Moved,
}

#[derive(QueryableByName)]
struct ReadOnly {
    #[diesel(sql_type = Bool)]
    read_only: bool,
}

impl Storage {
    /// Whether the database answers and accepts writes, for readiness. On PostgreSQL that is one statement.
    pub async fn health(&self) -> Result<DatabaseHealth, StoreError> {
        let file = self.opener().file();
        if file.is_some_and(|file| file.check().is_err()) {
            return Ok(DatabaseHealth::Moved);
        }
        let read_only = self.read(Reading::Control, is_read_only).await?;
        if read_only || file.is_some_and(|file| !file.is_writable()) {
            // After a fail-over, new connections may reach the server that accepts writes.
            self.pools().generation.give_up_all();
            return Ok(DatabaseHealth::ReadOnly);
        }
        Ok(DatabaseHealth::Usable)
    }
}

fn is_read_only(connection: &mut Connection) -> Result<bool, Failure> {
    let text = match connection {
        Connection::Postgres(_) => {
            "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS read_only"
        }
        Connection::Sqlite(_) => "SELECT 0 AS read_only FROM sqlite_schema LIMIT 1",
    };
    let row: Option<ReadOnly> = connection.first(statement(text))?;
    Ok(row.is_some_and(|row| row.read_only))
}
