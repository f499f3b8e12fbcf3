//! The indexes that PostgreSQL may use for the statements that follow in a transaction.

use crate::connection::Connection;
use crate::failure::Failure;

/// What the planner may use.
#[derive(Clone, Copy)]
pub(super) enum Ways {
    /// Indexes in the order of their entries. A statement that asks for the order of an index reads that index.
    Indexes,
    /// Indexes as sets of rows: the only way to use that of substrings.
    Bitmaps,
}

pub(super) fn allow(connection: &mut Connection, ways: Ways) -> Result<(), Failure> {
    let settings = match ways {
        Ways::Indexes => {
            "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on"
        }
        Ways::Bitmaps => {
            "SET LOCAL enable_bitmapscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off"
        }
    };
    Ok(connection.batch(settings)?)
}
