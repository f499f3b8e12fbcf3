//! How much room a database takes on its disk.

use diesel::prelude::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::units::Reading;

/// The sizes of a database, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseSizes {
    /// The file of SQLite, or the database of PostgreSQL, of a cluster that of the coordinator.
    pub data: u64,
    /// The write-ahead log of SQLite; PostgreSQL shares one among its databases.
    pub log: Option<u64>,
}

#[derive(QueryableByName)]
struct SizeRow {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

impl Storage {
    /// The sizes of the database. PostgreSQL looks at each of its files, so this is not for every request.
    pub async fn sizes(&self) -> Result<DatabaseSizes, StoreError> {
        if let Some(file) = self.opener().file() {
            return Ok(DatabaseSizes { data: file.size(), log: Some(file.log_size()) });
        }
        Ok(DatabaseSizes { data: self.read(Reading::Control, size).await?, log: None })
    }
}

fn size(connection: &mut Connection) -> Result<u64, Failure> {
    let select = statement("SELECT pg_database_size(current_database()) AS bytes");
    let row: Option<SizeRow> = connection.first(select)?;
    Ok(row.and_then(|row| u64::try_from(row.bytes).ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use crate::tests::{execute, on_file};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_file_and_its_log_are_measured() {
        let directory = TempDir::new().expect("a directory");
        let storage = on_file(&directory.path().join("hub.db"), 1);
        let create = "CREATE TABLE large AS SELECT randomblob(1048576) AS b";
        execute(&storage, create).await.expect("written");
        let sizes = storage.sizes().await.expect("sizes");
        assert!(sizes.data + sizes.log.unwrap_or_default() > 1 << 20, "{sizes:?}");
    }
}
