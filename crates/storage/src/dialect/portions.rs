//! Rows that are written by one statement.

use std::slice::Chunks;

use crate::connection::Connection;

/// How many rows a statement of SQLite writes: those of a whole portion.
pub(crate) const ROWS: usize = 250;

/// Rows in portions, each for one statement. PostgreSQL writes all at once. SQLite can undo a single statement, and so keeps
/// the previous content of every page that it changes in memory until it ends (`pager.c`, the statement journal). The rows of
/// a bulk are on thousands of pages.
pub(crate) fn portions<'a, T>(connection: &Connection, rows: &'a [T]) -> Chunks<'a, T> {
    let most = match connection {
        Connection::Postgres(_) => rows.len().max(1),
        Connection::Sqlite(_) => ROWS,
    };
    rows.chunks(most)
}
