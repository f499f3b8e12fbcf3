//! What the two databases say differently.

mod postgres;
mod sqlite;

use crate::connection::Connection;
use crate::contacts::ValueUse;
use crate::failure::Failure;

/// Appended to a SELECT whose rows stay as they are until the end of the transaction.
pub(crate) const fn for_update(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " FOR UPDATE",
        // The transaction holds the database's one write lock from its begin.
        Connection::Sqlite(_) => "",
    }
}

/// Appended to the SELECT of a company under which the company's fields are added one after the other.
pub(crate) const fn for_no_key_update(connection: &Connection) -> &'static str {
    match connection {
        Connection::Postgres(_) => " FOR NO KEY UPDATE",
        Connection::Sqlite(_) => "",
    }
}

/// Lets one transaction at a time pass this point.
pub(crate) fn lock_bootstrap(connection: &mut Connection) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::lock_bootstrap(connection),
        Connection::Sqlite(_) => Ok(()),
    }
}

/// Adds to the counts of values, in one statement, and a second when any count falls. The changes are sorted and name
/// each value once.
pub(crate) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    match connection {
        Connection::Postgres(_) => postgres::change_value_uses(connection, changes),
        Connection::Sqlite(_) => sqlite::change_value_uses(connection, changes),
    }
}
