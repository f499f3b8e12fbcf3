//! The statistics by which PostgreSQL chooses its plans.
//!
//! Autovacuum analyses a table a minute or more after it has grown. Until then, plans are chosen as if it were as small as
//! before: in the first minutes of a new database a look-up of one contact reads all contacts of its company, and a bulk does
//! so for its addresses. So tables that have become much larger are analysed soon.
//!
//! The same happens to a new company in a large database, where autovacuum waits until a tenth of all rows has changed:
//! for a company that is not in the statistics, PostgreSQL expects one contact. So they are renewed too when a company
//! has many.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use uuid::Uuid;

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::access::tables_of_companies;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{sql, statement};
use crate::units::{Reading, Writing};

/// The tables that have more than twice as many pages as when they were last analysed. Those with up to 64 are left out: any
/// plan for them costs little. Only an owner can analyse a table.
const GROWN: &str = "SELECT CAST(relname AS text) AS name FROM pg_class \
     WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind = 'r' AND pg_has_role(relowner, 'USAGE') \
     AND pg_relation_size(oid) / CAST(current_setting('block_size') AS bigint) > 2 * greatest(relpages, 32)";

/// The companies with many contacts of which PostgreSQL expects less than a tenth: by the share of contacts that no
/// common company has, divided by the number of other companies. Fewer than these cost a look-up little.
const UNKNOWN: &str = "WITH known AS (SELECT coalesce(CAST(CAST(most_common_vals AS text) AS uuid[]), '{}') AS companies, \
     coalesce((SELECT sum(part) FROM unnest(most_common_freqs) AS part), 0) AS parts, reltuples AS contacts, \
     CASE WHEN n_distinct < 0 THEN -n_distinct * reltuples ELSE n_distinct END AS number FROM pg_stats, pg_class \
     WHERE schemaname = current_schema() AND tablename = 'contacts' AND attname = 'company_id' \
     AND pg_class.oid = CAST('contacts' AS regclass) AND pg_has_role(relowner, 'USAGE')) \
     SELECT company_id, active FROM contact_counts, known WHERE active >= 2000 AND company_id <> ALL (companies) \
     AND active > 10 * contacts * greatest(1 - parts, 0) / greatest(number - cardinality(companies), 1) LIMIT 1000";

/// The tables that have rows for each contact.
const OF_CONTACTS: [&str; 4] = ["contacts", "changes", "field_value_uses", "indexed_values"];

/// The statistics of the tables of a PostgreSQL server.
pub struct Statistics {
    storage: Storage,
    /// How many contacts each company had for which tables were analysed. A company may remain unknown after that.
    analysed: Mutex<HashMap<Uuid, i64>>,
}

#[derive(QueryableByName)]
struct Grown {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Unknown {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = BigInt)]
    active: i64,
}

impl Storage {
    /// The statistics that a service renews in the background; `None` with SQLite, which is used without any, and with a
    /// cluster, whose coordinator does not know the sizes of the tables of its nodes.
    #[must_use]
    pub fn statistics(&self) -> Option<Statistics> {
        let is_one_server = self.opener().file().is_none() && !self.opener().is_cluster();
        is_one_server.then(|| Statistics { storage: self.clone(), analysed: Mutex::default() })
    }
}

impl Statistics {
    /// Analyses the tables that have grown much since they were last analysed, and those with contacts when a company
    /// with many is unknown; returns their names.
    ///
    /// # Errors
    ///
    /// Returns the last error of the database. A table that cannot be analysed, such as one that takes too long, does
    /// not block the others.
    pub async fn renew(&self) -> Result<Vec<&'static str>, StoreError> {
        let unit = |connection: &mut Connection| Ok(connection.rows::<Grown>(statement(GROWN))?);
        let grown = self.storage.read(Reading::Few, unit).await?;
        let unknown = self.unknown().await?;
        let lacks_a_company = unknown.iter().any(|it| self.is_new(it));
        let known = tables_of_companies().filter(|name| {
            grown.iter().any(|it| it.name == *name) || lacks_a_company && OF_CONTACTS.contains(name)
        });
        let (mut renewed, mut failure) = (Vec::new(), None);
        for table in known {
            let unit = move |connection: &mut Connection| analyse(connection, table);
            match self.storage.write_unrecorded(Writing::Few, unit).await {
                Ok(()) => renewed.push(table),
                Err(error) => failure = Some(error),
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if lacks_a_company {
            *self.analysed() = unknown.iter().map(|it| (it.company_id.0, it.active)).collect();
        }
        Ok(renewed)
    }

    /// The companies with many contacts that are unknown.
    async fn unknown(&self) -> Result<Vec<Unknown>, StoreError> {
        let unit =
            |connection: &mut Connection| Ok(connection.rows::<Unknown>(statement(UNKNOWN))?);
        self.storage.read(Reading::Few, unit).await
    }

    /// Whether tables were not analysed for this company, or when it had less than half as many contacts.
    fn is_new(&self, unknown: &Unknown) -> bool {
        let then = self.analysed().get(&unknown.company_id.0).copied();
        then.is_none_or(|then| unknown.active / 2 >= then)
    }

    fn analysed(&self) -> MutexGuard<'_, HashMap<Uuid, i64>> {
        self.analysed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Analyses a table, unless another session analyses or vacuums it.
pub(crate) fn analyse(connection: &mut Connection, table: &'static str) -> Result<(), Failure> {
    connection.execute(sql!("ANALYZE (SKIP_LOCKED) {}", table).uncached())?;
    Ok(())
}
