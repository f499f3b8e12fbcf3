//! Waits until every running write knows the states of the fields.
//!
//! A write takes the fields as they were at most 900 ms before it began ([`recent`](crate::fields::recent)). So a write
//! that begins a second after a change knows of it. On SQLite a batch is alone in its transaction, so no earlier write
//! runs beside it. On PostgreSQL the transactions that began earlier are awaited, as `CREATE INDEX CONCURRENTLY` does.

use std::collections::HashSet;
use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::Text;
use tokio::time::{Instant, sleep};

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::statement::statement;
use crate::units::Reading;

/// Longer than a write relies on its cached fields.
const KNOWN_AFTER: Duration = Duration::from_secs(1);

/// How often and for how long it is checked whether earlier transactions have ended.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const LOOK_FOR: Duration = Duration::from_mins(1);

#[derive(QueryableByName)]
struct Running {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Returns false when earlier transactions still run after a minute.
pub(super) async fn wait_until_known(storage: &Storage) -> Result<bool, StoreError> {
    sleep(KNOWN_AFTER).await;
    let mut earlier = running(storage).await?;
    let began = Instant::now();
    while !earlier.is_empty() {
        if began.elapsed() > LOOK_FOR {
            tracing::warn!(
                "no values were indexed: a transaction of the database runs for a long time"
            );
            return Ok(false);
        }
        sleep(LOOK_EVERY).await;
        let now = running(storage).await?;
        earlier.retain(|name| now.contains(name));
    }
    Ok(true)
}

/// The transactions of the service that run beside this one. Each has a virtual id, even before it writes. Only its role
/// writes to the tables. A vacuum writes no values of contacts, and may run for hours.
async fn running(storage: &Storage) -> Result<HashSet<String>, StoreError> {
    let unit = |connection: &mut Connection| {
        if let Connection::Sqlite(_) = connection {
            return Ok(HashSet::new());
        }
        let text = "SELECT virtualtransaction AS name FROM pg_locks JOIN pg_stat_activity USING (pid) \
             WHERE locktype = 'virtualxid' AND mode = 'ExclusiveLock' AND granted \
             AND pid <> pg_backend_pid() AND datname = current_database() AND usename = session_user \
             AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)";
        let rows: Vec<Running> = connection.rows(statement(text))?;
        Ok(rows.into_iter().map(|row| row.name).collect())
    };
    storage.read(Reading::Few, unit).await
}
