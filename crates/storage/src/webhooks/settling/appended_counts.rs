//! The counts of deliveries, which triggers maintain.
//!
//! SQLite runs one write transaction at a time, so its triggers update the counts in place. On PostgreSQL each write
//! appends its changes as separate rows, so that concurrent writes do not wait for each other; these rows are summed
//! up later.

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many appended rows are summed up at once.
const BATCH: i64 = 5000;

const COLUMNS: &str = "company_id, webhook_id, generation, state, is_test";

/// The table expression after FROM, before an alias.
pub(crate) fn delivery_counts(connection: &Connection) -> Statement {
    match connection {
        Connection::Postgres(_) => sql!(
            "(SELECT {columns}, number FROM delivery_counts UNION ALL SELECT {columns}, number FROM delivery_count_changes)",
            columns = COLUMNS,
        ),
        Connection::Sqlite(_) => statement("delivery_counts"),
    }
}

/// Sums up appended rows; returns false when there were none.
pub(super) fn sum_up(connection: &mut Connection) -> Result<bool, Failure> {
    let Connection::Postgres(_) = connection else { return Ok(false) };
    let sum_up = sql!(
        "WITH added AS (DELETE FROM delivery_count_changes WHERE id IN (SELECT id FROM delivery_count_changes \
         ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING {columns}, number) \
         INSERT INTO delivery_counts ({columns}, number) SELECT {columns}, CAST(sum(number) AS bigint) FROM added \
         GROUP BY {columns} ORDER BY {columns} \
         ON CONFLICT ({columns}) DO UPDATE SET number = delivery_counts.number + excluded.number",
        columns = COLUMNS,
    );
    Ok(connection.execute(sum_up.bind(BATCH))? > 0)
}

/// Appended to the condition that there is something to do: or there are rows to sum up.
pub(in crate::webhooks) const fn or_has_count_changes(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " OR EXISTS (SELECT 1 FROM delivery_count_changes)",
        Connection::Sqlite(_) => "",
    }
}
