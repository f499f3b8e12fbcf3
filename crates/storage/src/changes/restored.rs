//! A database that was restored from a backup begins its feeds anew.
//!
//! Entries that were written after the backup are lost, and mirrors may have read them. Their positions would be given to
//! other entries, and a cursor would pass as one of this database. So the positions that follow leave a gap, whatever was
//! lost lies in it, and the feed counts as deleted up to its end: every cursor from before expires, and a mirror starts
//! again with an export. The entries themselves stay, as the history of their objects.

use std::path::Path;

use diesel::sql_types::BigInt;
use diesel::{Connection as _, ConnectionError, QueryableByName, SqliteConnection};

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::position::raise_base;
use crate::columns::IdRow;
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate::{self, MigrationState, state};
use crate::statement::statement;
use crate::transaction::{begin, transaction};

/// More positions than are given between a backup and its restore: a million a second for twelve days. There is room for
/// eight million such gaps.
const GAP: i64 = 1 << 40;

#[derive(QueryableByName)]
struct Last {
    #[diesel(sql_type = BigInt)]
    position: i64,
}

/// Lets all cursors of the change feeds expire that were returned before, in a database that was restored. Its schema must
/// have a feed; migrations may be pending, and remain so.
pub fn expire_cursors(url: &DatabaseUrl) -> Result<(), StoreError> {
    let mut connection = migrate::open(url)?;
    let connection = &mut connection;
    begin_all_anew(connection).map_err(Failure::into_store_error)?;
    if state(connection).map_err(StoreError::Failed)? == MigrationState::Current {
        // Otherwise the last of the migrations does so.
        raise_base(connection).map_err(Failure::into_store_error)?;
    }
    Ok(())
}

/// The same in a copy of a SQLite database that nobody uses, without a write-ahead log beside it.
pub fn expire_cursors_of_copy(file: &Path) -> Result<(), StoreError> {
    let failed = |error: ConnectionError| StoreError::Failed(error.into());
    let connection = SqliteConnection::establish(&file.display().to_string()).map_err(failed)?;
    let mut connection = Connection::Sqlite(Box::new(connection));
    begin_all_anew(&mut connection).map_err(Failure::into_store_error)
}

fn begin_all_anew(connection: &mut Connection) -> Result<(), Failure> {
    begin(connection)?;
    transaction(connection, |connection| {
        let companies: Vec<IdRow> = connection.rows(statement("SELECT id FROM companies"))?;
        companies
            .into_iter()
            .try_for_each(|company| begin_anew(connection, CompanyId::new(company.id.0)))
    })
}

fn begin_anew(connection: &mut Connection, company: CompanyId) -> Result<(), Failure> {
    let last = statement(
        "SELECT position FROM (SELECT position FROM changes WHERE company_id = ? AND position > 0 \
         ORDER BY position DESC, ordinal DESC LIMIT 1) AS latest \
         UNION ALL SELECT position FROM change_purges WHERE company_id = ? ORDER BY position DESC LIMIT 1",
    );
    let last: Option<Last> = connection.first(last.bind(company).bind(company))?;
    let last = last.map_or(0, |last| last.position);
    let purge = statement(
        "INSERT INTO change_purges (company_id, position, ordinal) VALUES (?, ?, 0) \
         ON CONFLICT (company_id) DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal",
    );
    connection.execute(purge.bind(company).bind(last.saturating_add(GAP)))?;
    Ok(())
}
