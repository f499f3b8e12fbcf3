//! What a database contains: its schema, the number of rows of each table, and the master keys of its secrets.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use diesel::sql_types::Text;
use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, SqliteConnection};

use contact_hub_sqlite_interrupt::with_interrupt;

use super::BackupError;
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate::{self, MigrationState, state, state_of};
use crate::paged::TotalRow;
use crate::statement::statement;
use crate::webhooks::key_ids;

/// The table of applied migrations.
const MIGRATIONS: &str = "__diesel_schema_migrations";

/// What a database contains.
#[derive(Clone, Debug)]
pub struct DatabaseContents {
    /// The newest migration that is applied.
    pub schema: String,
    /// The schema compared with this program's.
    pub state: MigrationState,
    /// The number of rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// The ids of the master keys under which secrets are sealed.
    pub master_keys: Vec<String>,
}

impl DatabaseContents {
    /// Whether the schema has the change feed, whose cursors expire with a restore. Early schemas do not.
    #[must_use]
    pub fn has_feed(&self) -> bool {
        self.rows.contains_key("change_purges")
    }
}

/// How a copy is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// That each page is well-formed.
    Pages,
    /// Also that indexes agree with their tables, and that references lead somewhere.
    Everything,
}

#[derive(QueryableByName)]
struct Finding {
    #[diesel(sql_type = Text)]
    finding: String,
}

#[derive(QueryableByName)]
struct TableName {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Newest {
    #[diesel(sql_type = Text)]
    version: String,
}

/// Counts what a database contains. Large tables take a while, without a time limit.
pub fn contents(url: &DatabaseUrl) -> Result<DatabaseContents, BackupError> {
    let mut connection = migrate::open(url)?;
    if let Connection::Postgres(_) = connection {
        connection.batch("SET statement_timeout = 0")?;
    }
    contents_on(&mut connection)
}

/// Reads a copy of a SQLite database back, and counts what it contains.
pub fn check_copy(
    file: &Path,
    depth: CheckDepth,
    cancelled: &Arc<AtomicBool>,
) -> Result<DatabaseContents, BackupError> {
    let path =
        file.to_str().ok_or_else(|| BackupError::Database("its path is not UTF-8".into()))?;
    let opened = with_interrupt(cancelled, || SqliteConnection::establish(path));
    let connection = opened.map_err(|error| BackupError::Database(error.into()))?;
    let mut connection = Connection::Sqlite(Box::new(connection));
    let checked = check_pages(&mut connection, depth).and_then(|()| contents_on(&mut connection));
    if cancelled.load(Ordering::Relaxed) {
        return Err(BackupError::Cancelled);
    }
    checked
}

/// Compares the schema of applied migrations, with some of which older programs are compatible, with this program's.
pub fn judge_schema(
    url: &DatabaseUrl,
    applied: &[String],
    compatible: &[String],
) -> Result<MigrationState, BackupError> {
    state_of(url, applied, compatible).map_err(BackupError::Database)
}

fn check_pages(connection: &mut Connection, depth: CheckDepth) -> Result<(), BackupError> {
    connection
        .batch("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY")
        .map_err(unreadable)?;
    let check = match depth {
        CheckDepth::Pages => "SELECT quick_check AS finding FROM pragma_quick_check LIMIT 1",
        CheckDepth::Everything => {
            "SELECT integrity_check AS finding FROM pragma_integrity_check LIMIT 1"
        }
    };
    let found: Option<Finding> = connection.first(statement(check)).map_err(unreadable)?;
    match found.map(|found| found.finding) {
        Some(finding) if finding == "ok" => {}
        finding => return Err(BackupError::Damaged(finding.unwrap_or_default())),
    }
    if depth == CheckDepth::Pages {
        return Ok(());
    }
    let dangling = "SELECT \"table\" AS finding FROM pragma_foreign_key_check LIMIT 1";
    match connection.first::<Finding>(statement(dangling))? {
        Some(Finding { finding }) => {
            Err(BackupError::Damaged(format!("a row of {finding} refers to a row that is missing")))
        }
        None => Ok(()),
    }
}

/// SQLite has no other message for a file that is not one of its own, or damaged in its first page.
fn unreadable(error: diesel::result::Error) -> BackupError {
    match error.to_string().as_str() {
        "file is not a database" => BackupError::Foreign,
        message if message.contains("malformed") => BackupError::Damaged(message.to_owned()),
        _ => error.into(),
    }
}

pub(super) fn contents_on(connection: &mut Connection) -> Result<DatabaseContents, BackupError> {
    let tables = tables(connection)?;
    if !tables.iter().any(|table| table == MIGRATIONS) {
        return Err(BackupError::Foreign);
    }
    let state = state(connection).map_err(BackupError::Database)?;
    let newest = "SELECT coalesce(max(version), '') AS version FROM __diesel_schema_migrations";
    let newest: Option<Newest> = connection.first(statement(newest))?;
    let master_keys = key_ids(connection)?;
    let mut rows = BTreeMap::new();
    for table in tables.into_iter().filter(|table| table != MIGRATIONS) {
        let counted = count(connection, &table)?;
        rows.insert(table, counted);
    }
    let schema = newest.map(|newest| newest.version).unwrap_or_default();
    Ok(DatabaseContents { schema, state, rows, master_keys })
}

/// The tables of the service, without those of extensions and of the index of the search.
fn tables(connection: &mut Connection) -> Result<Vec<String>, Failure> {
    let text = match connection {
        Connection::Postgres(_) => {
            "SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
             AND relkind IN ('r', 'p') AND NOT EXISTS (SELECT 1 FROM pg_depend \
             WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e') ORDER BY relname"
        }
        Connection::Sqlite(_) => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             AND name NOT LIKE 'contacts\\_search%' ESCAPE '\\' ORDER BY name"
        }
    };
    let names: Vec<TableName> = connection.rows(statement(text))?;
    Ok(names.into_iter().map(|row| row.name).collect())
}

/// Counts a table, whose name is from the database's catalogue.
fn count(connection: &mut Connection, table: &str) -> Result<u64, Failure> {
    let quoted = table.replace('"', "\"\"");
    let count = diesel::sql_query(format!("SELECT count(*) AS total FROM \"{quoted}\""));
    let row: TotalRow = match connection {
        Connection::Postgres(connection) => count.get_result(connection.as_mut()),
        Connection::Sqlite(connection) => count.get_result(connection.as_mut()),
    }?;
    Ok(u64::try_from(row.total).unwrap_or_default())
}
