//! Damage that a database knows of.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::ports::StoreError;

use super::Inspection;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Damage {
    #[diesel(sql_type = Text)]
    damage: String,
}

/// Indexes that agree with their tables, and rows that exist.
const SQLITE: [&str; 2] = [
    "SELECT integrity_check AS damage FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10",
    "SELECT DISTINCT \"table\" || ' refers to a row of ' || parent || ' that is missing' AS damage \
     FROM pragma_foreign_key_check LIMIT 10",
];

/// Indexes that PostgreSQL does not use, as after an interrupted concurrent build.
const POSTGRES: [&str; 1] = [
    "SELECT 'the index ' || relname || ' is not valid' AS damage FROM pg_index \
     JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = current_schema()::regnamespace \
     AND NOT (indisvalid AND indisready) ORDER BY relname LIMIT 10",
];

impl Inspection {
    /// The first findings of the database's own checks. On SQLite these read the whole file, in one snapshot.
    pub fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        self.look(damage)
    }
}

fn damage(connection: &mut Connection) -> Result<Vec<String>, Failure> {
    let checks = match connection {
        Connection::Postgres(_) => POSTGRES.as_slice(),
        Connection::Sqlite(_) => {
            connection.batch("PRAGMA cache_size = -65536")?;
            SQLITE.as_slice()
        }
    };
    let mut found = Vec::new();
    for check in checks {
        let rows: Vec<Damage> = connection.rows(statement(check))?;
        found.extend(rows.into_iter().map(|row| row.damage));
    }
    Ok(found)
}
