//! The numbers of deliveries, which triggers keep.
//!
//! On SQLite, where one transaction writes at a time, they are changed where they stand. On PostgreSQL each write adds what
//! it changes as rows of its own, so that no two writes wait for each other, and these are summed up later.

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// How many added rows are summed up at once.
const BATCH: i64 = 5000;

const COLUMNS: &str = "company_id, webhook_id, generation, state, is_test";

/// What stands behind FROM, before an alias.
pub(crate) fn delivery_counts(connection: &Connection) -> String {
    match connection {
        Connection::Postgres(_) => format!(
            "(SELECT {COLUMNS}, number FROM delivery_counts UNION ALL SELECT {COLUMNS}, number FROM delivery_count_changes)"
        ),
        Connection::Sqlite(_) => "delivery_counts".to_owned(),
    }
}

/// Sums up what writes have added; false when there was nothing.
pub(crate) fn sum_up_delivery_counts(connection: &mut Connection) -> Result<bool, Failure> {
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

/// Appended to a condition that there is something to do: or there is something to sum up.
pub(crate) const fn or_has_count_changes(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " OR EXISTS (SELECT 1 FROM delivery_count_changes)",
        Connection::Sqlite(_) => "",
    }
}
