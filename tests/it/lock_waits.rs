//! Lists that wait for a lock on contacts, at PostgreSQL.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::{PgConnection, RunQueryDsl as _};

/// Locks contacts until the connection ends, so that lists wait.
pub(crate) fn lock_contacts(connection: &mut PgConnection) {
    let lock = "BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE";
    connection.batch_execute(lock).expect("contacts are locked");
}

/// Returns once a list of this database waits for a lock, or once none does. The statements of tasks in the background,
/// such as the one that reads the sizes of tables, wait too and are not counted.
pub(crate) async fn until_lists_wait(
    connection: &mut PgConnection,
    expected: bool,
    limit: Duration,
) {
    let deadline = Instant::now() + limit;
    while do_lists_wait(connection) != expected {
        assert!(Instant::now() < deadline, "lists still wait, or not yet: {}", !expected);
        tokio::task::yield_now().await;
    }
}

fn do_lists_wait(connection: &mut PgConnection) -> bool {
    // A transaction sees the sessions as they were at its first query.
    connection.batch_execute("SELECT pg_stat_clear_snapshot()").expect("it looks anew");
    let lists = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' \
         AND query LIKE '%FROM contacts WHERE%'";
    diesel::sql_query(lists).execute(connection).expect("they are counted") > 0
}
