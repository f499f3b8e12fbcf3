//! Reads what an operator should know about a database. It writes nothing, and each statement has a time limit.

mod indexed_values;
mod integrity;
mod queues;
mod recount;
mod server;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use crate::access::unfinished_deletions;
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate::{self, MigrationState, state};

pub use indexed_values::IndexedValues;
pub use queues::Queues;
pub use recount::Recount;

/// A statement that sums up a table takes longer than those of the service.
const PATIENT: &str = "SET statement_timeout = '5min'";

/// A connection for inspections.
pub struct Inspection {
    connection: Connection,
}

impl Inspection {
    /// Connects to a database.
    pub fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let mut connection = migrate::open(url)?;
        if let Connection::Postgres(_) = connection {
            connection.batch(PATIENT).map_err(|error| Failure::from(error).into_store_error())?;
        }
        Ok(Self { connection })
    }

    /// The state of the schema.
    pub fn schema(&mut self) -> Result<MigrationState, StoreError> {
        state(&mut self.connection).map_err(StoreError::Failed)
    }

    /// The companies whose deletion is running or was interrupted.
    pub fn unfinished_deletions(&mut self) -> Result<Vec<CompanyId>, StoreError> {
        self.look(unfinished_deletions)
    }

    fn look<T>(
        &mut self,
        look: impl FnOnce(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        look(&mut self.connection).map_err(Failure::into_store_error)
    }
}
