//! The counts of deliveries, which triggers maintain.
//!
//! SQLite runs one write transaction at a time, so its triggers update the counts in place. On PostgreSQL each write
//! appends its changes as separate rows, so that concurrent writes do not wait for each other; these rows are summed
//! up later.

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// How many appended rows are summed up at once.
const BATCH: i64 = 5000;

const COLUMNS: &str = "company_id, webhook_id, generation, state, is_test";

/// The table expression after FROM, before an alias.
pub(super) fn delivery_counts(connection: &Connection) -> String {
    match connection {
        Connection::Postgres(_) => format!(
            "(SELECT {COLUMNS}, number FROM delivery_counts UNION ALL SELECT {COLUMNS}, number FROM delivery_count_changes)"
        ),
        Connection::Sqlite(_) => "delivery_counts".to_owned(),
    }
}

/// Sums up appended rows; returns false when there were none.
pub(super) fn sum_up(connection: &mut Connection) -> Result<bool, Failure> {
    let Connection::Postgres(_) = connection else { return Ok(false) };
    let text = format!(
        "WITH added AS (DELETE FROM delivery_count_changes WHERE id IN (SELECT id FROM delivery_count_changes \
         ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING {COLUMNS}, number) \
         INSERT INTO delivery_counts ({COLUMNS}, number) SELECT {COLUMNS}, CAST(sum(number) AS bigint) FROM added \
         GROUP BY {COLUMNS} ORDER BY {COLUMNS} \
         ON CONFLICT ({COLUMNS}) DO UPDATE SET number = delivery_counts.number + excluded.number"
    );
    Ok(connection.execute(statement(text).bind(BATCH))? > 0)
}

/// Appended to the condition that there is something to do: or there are rows to sum up.
pub(in crate::webhooks) const fn or_has_count_changes(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " OR EXISTS (SELECT 1 FROM delivery_count_changes)",
        Connection::Sqlite(_) => "",
    }
}
