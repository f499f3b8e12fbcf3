//! A snapshot of PostgreSQL that another program can read too, so that what it dumps can be counted here.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use super::contents::contents_on;
use super::{BackupError, DatabaseContents};
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::dialect::begin_snapshot;
use crate::migrate;
use crate::statement::statement;

/// The snapshot lasts for as long as the program that reads it.
const UNBOUNDED: &str =
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// A snapshot that lasts until this is dropped.
pub struct ExportedSnapshot {
    connection: Connection,
    /// Its name for other programs.
    pub name: String,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Exports a snapshot of the database as it is now.
pub fn export_snapshot(url: &DatabaseUrl) -> Result<ExportedSnapshot, BackupError> {
    let mut connection = migrate::open(url)?;
    connection.batch(UNBOUNDED)?;
    let begin = begin_snapshot(&connection);
    connection.begin(begin)?;
    let name: Option<Name> = connection.first(statement("SELECT pg_export_snapshot() AS name"))?;
    let name = name.ok_or_else(|| BackupError::Database("no snapshot was exported".into()))?;
    Ok(ExportedSnapshot { connection, name: name.name })
}

impl ExportedSnapshot {
    /// What the database contains in this snapshot.
    pub fn contents(&mut self) -> Result<DatabaseContents, BackupError> {
        contents_on(&mut self.connection)
    }
}
