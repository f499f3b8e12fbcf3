//! The indexes that PostgreSQL may use for the statements that follow in a transaction.

use crate::connection::Connection;
use crate::failure::Failure;

/// What the planner may use.
#[derive(Clone, Copy)]
pub(super) enum Ways {
    /// Indexes in the order of their entries. A statement that asks for the order of an index reads that index.
    Indexes,
    /// The same, and joins that read both of their sides as a whole in place of looking up each row of one in the other.
    Joins,
    /// The same, and joins of two sides in one order, into which a side is sorted unless its index has it.
    Merges,
    /// Indexes as sets of rows: the only way to use that of substrings.
    Bitmaps,
}

/// SQLite follows the text of a statement.
pub(super) fn allow(connection: &mut Connection, ways: Ways) -> Result<(), Failure> {
    if let Connection::Sqlite(_) = connection {
        return Ok(());
    }
    let settings = match ways {
        Ways::Indexes => {
            "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on; \
             SET LOCAL enable_nestloop = on; SET LOCAL enable_hashjoin = off; \
             SET LOCAL enable_mergejoin = off; SET LOCAL enable_sort = off"
        }
        Ways::Joins => {
            "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on; \
             SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = on; \
             SET LOCAL enable_mergejoin = off; SET LOCAL enable_sort = off"
        }
        Ways::Merges => {
            "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on; \
             SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = off; \
             SET LOCAL enable_mergejoin = on; SET LOCAL enable_sort = on"
        }
        Ways::Bitmaps => {
            "SET LOCAL enable_bitmapscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; \
             SET LOCAL enable_nestloop = on; SET LOCAL enable_hashjoin = off; \
             SET LOCAL enable_mergejoin = off; SET LOCAL enable_sort = off"
        }
    };
    Ok(connection.batch(settings)?)
}
