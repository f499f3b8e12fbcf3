//! Whether a database may be restored to a place.

use std::path::{Path, PathBuf};
use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::Bool;
use rusqlite::ErrorCode;

use super::BackupError;
use super::copy::open;
use crate::connections::url::DatabaseUrl;
use crate::migrate;
use crate::statement::statement;

/// The files that SQLite keeps beside a database.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The state of the place to which a database is to be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Nothing, or a database without tables.
    Free,
    /// A process has the database open.
    InUse,
    /// The database has tables.
    Filled,
    /// The SQLite file is gone, but a file that belonged to it is left.
    LeftOver(PathBuf),
}

#[derive(QueryableByName)]
struct HasTables {
    #[diesel(sql_type = Bool)]
    has_tables: bool,
}

/// Checks whether a database may be restored to this address.
pub fn destination(url: &DatabaseUrl) -> Result<Destination, BackupError> {
    match url {
        DatabaseUrl::Sqlite(path) => of_file(Path::new(path)),
        DatabaseUrl::Postgres(_) => {
            // The tables of extensions, which an operator may have created before, do not count.
            let find = "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
                 AND relkind IN ('r', 'p') AND NOT EXISTS (SELECT 1 FROM pg_depend \
                 WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')) AS has_tables";
            let found: Option<HasTables> = migrate::open(url)?.first(statement(find))?;
            let is_filled = found.is_some_and(|found| found.has_tables);
            Ok(if is_filled { Destination::Filled } else { Destination::Free })
        }
    }
}

fn of_file(file: &Path) -> Result<Destination, BackupError> {
    let size = std::fs::metadata(file).ok().map(|found| found.len());
    if size.is_none_or(|size| size == 0) {
        let left = COMPANIONS.into_iter().map(|suffix| beside(file, suffix));
        let left = left.into_iter().find(|path| path.exists());
        return Ok(left.map_or(Destination::Free, Destination::LeftOver));
    }
    let connection = open(file)?;
    connection.busy_timeout(Duration::ZERO)?;
    // Everyone who has a database with a write-ahead log open holds a shared lock, so the exclusive one shows that nobody
    // has.
    let locked =
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
    if let Err(error) = locked {
        return match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Ok(Destination::InUse),
            _ => Err(error.into()),
        };
    }
    let find = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table')";
    let is_filled = connection.query_row(find, [], |row| row.get::<_, bool>(0))?;
    Ok(if is_filled { Destination::Filled } else { Destination::Free })
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
