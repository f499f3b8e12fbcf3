//! The clock and the size of the database.

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::Inspection;
use crate::clock::now;
use crate::connection::Connection;
use crate::paged::total;
use crate::statement::statement;

impl Inspection {
    /// The database's time; `None` on SQLite, which has the host's.
    pub fn clock(&mut self) -> Result<Option<Timestamp>, StoreError> {
        self.look(now)
    }

    /// The size of the database in bytes.
    pub fn bytes(&mut self) -> Result<u64, StoreError> {
        self.look(|connection| {
            let text = match connection {
                Connection::Postgres(_) => "SELECT pg_database_size(current_database()) AS total",
                Connection::Sqlite(_) => {
                    "SELECT page_count * page_size AS total FROM pragma_page_count, pragma_page_size"
                }
            };
            Ok(u64::try_from(total(connection, statement(text))?).unwrap_or_default())
        })
    }
}
