//! The pieces of SQL in which the two databases differ. They know columns and values, and no capability.

mod explain;
mod like;
mod lock;
mod portions;
mod source;

pub(crate) use explain::{expected_rows, explain, uses_index};
pub(crate) use like::{contains, contains_not};
pub(crate) use lock::{Lock, for_update_by_id, lock_for_all};
pub(crate) use portions::{ROWS, portions};
pub(crate) use source::{Source, any_id, any_result, any_selected, any_text};

use diesel::QueryableByName;
use diesel::result::QueryResult;
use diesel::sql_types::Text;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};

/// Follows a table's name so that its rows are found along an index, in its order.
pub(crate) fn along(connection: &Connection, index: &'static str) -> Option<Statement> {
    match connection {
        // PostgreSQL chooses an incremental sort along an index by itself.
        Connection::Postgres(_) => None,
        // SQLite would choose any index of the company, and sort everything.
        Connection::Sqlite(_) => Some(sql!(" INDEXED BY {}", index)),
    }
}

/// Joins a table such that for each row of what precedes it the rows are looked up.
pub(crate) const fn join_in_order(connection: &Connection) -> &'static str {
    match connection {
        // Lists have no other joins (`begin_list_snapshot`), and no sorts that another order would need.
        Connection::Postgres(_) => "JOIN",
        Connection::Sqlite(_) => "CROSS JOIN",
    }
}

/// Precedes a column for which no index may be used, in a statement on given rows. Otherwise SQLite may prefer an index
/// that begins with the company or the field, and read all of its rows.
pub(crate) const fn unindexed(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "",
        Connection::Sqlite(_) => "+",
    }
}

/// Joins the rows of a table that meet a condition, looked up for each row of what precedes it. A join of PostgreSQL would
/// follow the statistics: with those of a small table it compares every row with every row of what has become a large one.
pub(crate) fn looked_up(
    connection: &Connection,
    table: &'static str,
    condition: Statement,
) -> Statement {
    match connection {
        Connection::Postgres(_) => lateral(table, condition),
        // SQLite runs a cross join in the order of its text.
        Connection::Sqlite(_) => sql!("CROSS JOIN {} ON {}", table, condition),
    }
}

/// The same for PostgreSQL only.
pub(crate) fn lateral(table: &'static str, condition: Statement) -> Statement {
    // OFFSET keeps PostgreSQL from merging the inner selection, so that it runs once for each row.
    sql!(
        "CROSS JOIN LATERAL (SELECT * FROM {table} WHERE {condition} OFFSET 0) AS {table}",
        table = table,
        condition = condition,
    )
}

/// Follows FROM: the rows of a table that meet a condition on a row of the selection `owners`, looked up along an index
/// for each of these rows. There are few owners and many rows, even if the statistics differ.
pub(crate) fn rows_of_each(
    connection: &Connection,
    owners: Statement,
    table: &'static str,
    index: &'static str,
    condition: Statement,
) -> Statement {
    match connection {
        Connection::Postgres(_) => {
            sql!("({}) AS owners {}", owners, looked_up(connection, table, condition))
        }
        Connection::Sqlite(_) => {
            sql!(
                "({}) AS owners CROSS JOIN {} INDEXED BY {} ON {}",
                owners,
                table,
                index,
                condition
            )
        }
    }
}

/// Runs statements that read indexes in their order, as [`begin_list_snapshot`] does. It does not apply to later
/// statements of the transaction: one that sorts a few rows would read a whole index to avoid it.
pub(crate) fn in_index_order<T>(
    connection: &mut Connection,
    unit: impl FnOnce(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if matches!(connection, Connection::Sqlite(_)) {
        return unit(connection);
    }
    connection.batch(
        "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off",
    )?;
    let outcome = unit(connection)?;
    connection.batch(
        "SET LOCAL enable_bitmapscan TO DEFAULT; SET LOCAL enable_seqscan TO DEFAULT; \
         SET LOCAL enable_sort TO DEFAULT",
    )?;
    Ok(outcome)
}

/// Runs writes that do not read from each other: in one round trip on PostgreSQL.
pub(crate) fn execute_together(
    connection: &mut Connection,
    writes: impl IntoIterator<Item = Statement>,
) -> QueryResult<()> {
    let mut writes: Vec<Statement> = writes.into_iter().collect();
    if let Connection::Postgres(_) = connection
        && let Some(last) = writes.pop()
    {
        let steps = (1_usize..).zip(writes).map(|(place, it)| sql!("step_{} AS ({})", place, it));
        let steps: Vec<Statement> = steps.collect();
        let with = (!steps.is_empty()).then(|| sql!("WITH {} ", joined(steps, ", ")));
        writes = vec![sql!("{}{}", with, last)];
    }
    writes.into_iter().try_for_each(|write| connection.execute(write).map(drop))
}

#[derive(QueryableByName)]
struct DatabaseName {
    #[diesel(sql_type = Text)]
    database_name: String,
}

/// The database of a connection: its name, or the path of its file.
pub(crate) fn database_name(connection: &mut Connection) -> Result<String, Failure> {
    let text = match connection {
        Connection::Postgres(_) => "SELECT current_database()::text AS database_name",
        Connection::Sqlite(_) => "SELECT file AS database_name FROM pragma_database_list",
    };
    let row: Option<DatabaseName> = connection.first(statement(text))?;
    row.map(|row| row.database_name).ok_or_else(|| Failure::Corrupt("no database".to_owned()))
}

/// As [`begin_snapshot`], for lists in the order of an index. Without statistics, as after a bulk load, PostgreSQL
/// expects few rows and sorts all that match, which took 0.3 s for 300,000 deliveries. Without bitmaps and scans of the
/// whole table it reads along the index.
pub(crate) const fn begin_ordered_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_bitmapscan = off; \
             SET LOCAL enable_seqscan = off"
        }
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}

/// As [`begin_ordered_snapshot`], but on PostgreSQL each statement has its own snapshot.
pub(crate) const fn begin_ordered_reads(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => {
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL enable_bitmapscan = off; \
             SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off"
        }
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}

/// The settings of a list whose statements choose their indexes.
macro_rules! list_settings {
    () => {
        "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; \
         SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL work_mem = '32MB'"
    };
}

/// How PostgreSQL begins a list whose statements choose their indexes.
macro_rules! list_snapshot {
    () => {
        concat!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ", list_settings!())
    };
}

/// As [`begin_snapshot`], for lists whose statements choose their indexes: `ORDER BY` a column reads the index of this
/// column, since sorts, bitmaps and scans of the whole table are only used if nothing else is possible, and rows of
/// joined tables are looked up one by one.
pub(crate) const fn begin_list_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => list_snapshot!(),
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}

/// As [`begin_list_snapshot`], for statements that allow one way to their rows: PostgreSQL plans each of them once for a
/// connection.
pub(crate) const fn begin_prepared_list_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => {
            concat!(list_snapshot!(), "; SET LOCAL plan_cache_mode = force_generic_plan")
        }
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}

/// As [`begin_list_snapshot`], on a cluster: the settings of the transaction also apply on the node. They are
/// [`LIST_SETTINGS_ON_CLUSTER`], by a statement of their own, since Citus sends the node the whole text in which a setting is.
pub(crate) const BEGIN_LIST_ON_CLUSTER: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
     SET LOCAL citus.propagate_set_commands = 'local'";

/// The settings of [`BEGIN_LIST_ON_CLUSTER`]. What the service sets for its own sessions is among them, since those of the nodes
/// are not its own: PostgreSQL would compile each statement whose plan has a step that is switched off, such as a sort.
pub(crate) const LIST_SETTINGS_ON_CLUSTER: &str = concat!(
    list_settings!(),
    "; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0"
);

/// Begins a read-only transaction whose statements see one snapshot.
pub(crate) const fn begin_snapshot(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        Connection::Sqlite(_) => "BEGIN DEFERRED",
    }
}
