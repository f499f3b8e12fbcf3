//! Reads what an operator should know about a database. It writes nothing, and each statement has a time limit.

mod indexed_values;
mod integrity;
mod queues;
mod recount;
mod server;

use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use crate::access::unfinished_deletions;
use crate::company_walk::next_company;
use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate::{self, MigrationState, state};
use crate::transaction::transaction;

pub use indexed_values::IndexedValues;
pub use queues::Queues;
pub use recount::Recount;

/// A statement that sums up a table takes longer than those of the service.
const PATIENT: &str = "SET statement_timeout = '5min'";

/// How many differences are described.
const DESCRIBED: usize = 20;

/// The companies that are compared; what a company that is being deleted has goes piece by piece.
const COMPANIES: &str =
    "(SELECT id AS company_id FROM companies WHERE deleting_since IS NULL) AS counted WHERE true";

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

    /// Looks at one company after the other, at each in one snapshot.
    fn look_at_each_company(
        &mut self,
        begin: fn(&Connection) -> &'static str,
        mut look: impl FnMut(&mut Connection, CompanyId) -> Result<(), Failure>,
    ) -> Result<(), StoreError> {
        self.look(|connection| {
            let mut after = Uuid::nil();
            while let Some(company) = next_company(connection, COMPANIES, after)? {
                after = company.uuid();
                let begin = begin(connection);
                connection.begin(begin)?;
                transaction(connection, |connection| look(connection, company))?;
            }
            Ok(())
        })
    }
}

/// Adds a difference, if it is one of the first.
fn describe(differences: &mut Vec<String>, difference: impl FnOnce() -> String) {
    if differences.len() < DESCRIBED {
        differences.push(difference());
    }
}
