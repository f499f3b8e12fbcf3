//! Distributes the contacts over the nodes of a Citus cluster.
//!
//! The tables of contacts, fields, counts, indexed values and kept answers are distributed by company. All rows of a
//! company are on one node, so each statement on them goes only to that node. Everything else stays in plain tables of
//! the coordinator: a node that is down does not affect them.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ports::StoreError;

use crate::connection::Connection;
use crate::connections::url::DatabaseUrl;
use crate::failure::Failure;
use crate::migrate::{AnyError, lock, open};
use crate::statement::{Statement, sql, statement};
use crate::transaction::{begin, transaction};

/// The table whose distribution the others share.
const FIRST: &str = "contacts";

/// The tables with the contacts of a company, what is derived from them, and the answers that are written with them.
const DISTRIBUTED: [&str; 9] = [
    FIRST,
    "fields",
    "contact_counts",
    "text_counts",
    "count_changes",
    "field_value_uses",
    "field_value_blocks",
    "kept_answers",
    "indexed_values",
];

/// The waits for locks and the copying of the rows have no limit.
const UNBOUNDED: &str = "SET statement_timeout = 0; SET lock_timeout = 0";

/// The database cannot be distributed.
#[derive(Debug, thiserror::Error)]
#[error(
    "only a PostgreSQL database with the extension citus can be distributed: create the extension on every node, and add \
     the nodes to the coordinator"
)]
struct NoCluster;

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Distributes the tables that are not distributed yet, and returns their names. Each one is copied in its own
/// transaction; writers of that table wait. The schema must be migrated.
pub fn distribute(url: &DatabaseUrl) -> Result<Vec<&'static str>, StoreError> {
    let mut connection = open(url)?;
    distribute_on(&mut connection).map_err(StoreError::Failed)
}

fn distribute_on(connection: &mut Connection) -> Result<Vec<&'static str>, AnyError> {
    let extension = "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS yes";
    if matches!(connection, Connection::Sqlite(_)) || !ask(connection, statement(extension))? {
        return Err(NoCluster.into());
    }
    connection.batch(UNBOUNDED)?;
    lock(connection)?;
    let mut distributed = Vec::new();
    for table in DISTRIBUTED {
        let known = "SELECT EXISTS (SELECT 1 FROM pg_dist_partition \
             WHERE logicalrelid = CAST(? AS regclass)) AS yes";
        if !ask(connection, statement(known).bind(table))? {
            tracing::info!(table, "distributing a table");
            begin(connection)?;
            transaction(connection, |connection| distribute_table(connection, table))?;
            distributed.push(table);
        }
    }
    Ok(distributed)
}

/// A distributed table cannot refer to one of the coordinator.
fn distribute_table(connection: &mut Connection, table: &'static str) -> Result<(), Failure> {
    connection.execute(sql!(
        "ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_company_id_fkey",
        table = table
    ))?;
    let colocated = if table == FIRST { "default" } else { FIRST };
    let distribute = statement(
        "SELECT create_distributed_table(CAST(? AS regclass), 'company_id', colocate_with => ?)",
    );
    connection.execute(distribute.bind(table).bind(colocated))?;
    // The rows that were copied are still on the coordinator.
    let truncate =
        statement("SELECT truncate_local_data_after_distributing_table(CAST(? AS regclass))");
    connection.execute(truncate.bind(table))?;
    Ok(())
}

fn ask(connection: &mut Connection, question: Statement) -> Result<bool, Failure> {
    Ok(connection.first::<Answer>(question)?.is_some_and(|answer| answer.yes))
}
