//! The statistics by which PostgreSQL chooses its plans.
//!
//! Autovacuum analyses a table a minute or more after it has grown. Until then, plans are chosen as if it were as small as
//! before: in the first minutes of a new database a look-up of one contact reads all contacts of its company, and a bulk does
//! so for its addresses. So tables that have become much larger are analysed soon.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::access::tables_of_companies;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::units::{Reading, Writing};

/// The tables that have more than twice as many pages as when they were last analysed. Those with up to 64 are left out: any
/// plan for them costs little. Only an owner can analyse a table.
const GROWN: &str = "SELECT CAST(relname AS text) AS name FROM pg_class \
     WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r' AND pg_has_role(relowner, 'USAGE') \
     AND pg_relation_size(oid) / CAST(current_setting('block_size') AS bigint) > 2 * greatest(relpages, 32)";

/// The statistics of the tables of a PostgreSQL server.
pub struct Statistics(Storage);

#[derive(QueryableByName)]
struct Grown {
    #[diesel(sql_type = Text)]
    name: String,
}

impl Storage {
    /// The statistics that a service renews in the background; `None` with SQLite, which is used without any, and with a
    /// cluster, whose coordinator does not know the sizes of the tables of its nodes.
    #[must_use]
    pub fn statistics(&self) -> Option<Statistics> {
        let is_one_server = self.opener().file().is_none() && !self.opener().is_cluster();
        is_one_server.then(|| Statistics(self.clone()))
    }
}

impl Statistics {
    /// Analyses the tables that have grown much since they were last analysed; returns their names.
    ///
    /// # Errors
    ///
    /// The last one of the database. A table that cannot be analysed, such as one that takes too long, holds up no other.
    pub async fn renew(&self) -> Result<Vec<&'static str>, StoreError> {
        let unit = |connection: &mut Connection| Ok(connection.rows::<Grown>(statement(GROWN))?);
        let grown = self.0.read(Reading::Few, unit).await?;
        let known = tables_of_companies().filter(|name| grown.iter().any(|it| it.name == *name));
        let (mut renewed, mut failure) = (Vec::new(), None);
        for table in known {
            let unit = move |connection: &mut Connection| analyse(connection, table);
            match self.0.write_unrecorded(Writing::Few, unit).await {
                Ok(()) => renewed.push(table),
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(renewed), Err)
    }
}

/// Analyses a table, unless another session analyses or vacuums it.
pub(crate) fn analyse(connection: &mut Connection, table: &'static str) -> Result<(), Failure> {
    connection.execute(sql!("ANALYZE (SKIP_LOCKED) {}", table).uncached())?;
    Ok(())
}
