//! The positions of transactions.

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, statement};

/// The position of the running transaction.
pub(super) fn current(connection: &Connection, company: CompanyId) -> Statement {
    match connection {
        Connection::Postgres(_) => {
            statement("(SELECT pg_current_xact_id()::text::bigint + base FROM change_base)")
        }
        Connection::Sqlite(_) => statement(
            "(SELECT 1 + max(coalesce((SELECT max(position) FROM changes WHERE company_id = ?), 0), \
             coalesce((SELECT position FROM change_purges WHERE company_id = ?), 0)))",
        )
        .bind(company)
        .bind(company),
    }
}

/// The first position that may still get entries.
pub(super) fn horizon(connection: &Connection, company: CompanyId) -> Statement {
    match connection {
        Connection::Postgres(_) => statement(
            "(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base FROM change_base)",
        ),
        Connection::Sqlite(_) => current(connection, company),
    }
}

/// The condition that no entry will get a position before that of a row.
pub(super) fn is_settled(connection: &Connection) -> Option<&'static str> {
    match connection {
        Connection::Postgres(_) => Some(
            " AND position < (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base FROM change_base)",
        ),
        Connection::Sqlite(_) => None,
    }
}

/// Raises the base if a stored position is not before those of new transactions, as when the database was restored on
/// another server.
pub(crate) fn raise_base(connection: &mut Connection) -> Result<(), Failure> {
    if let Connection::Postgres(_) = connection {
        let raise = "UPDATE change_base SET base = last.position + 1 - pg_current_xact_id()::text::bigint \
             FROM (SELECT max(newest.position) AS position FROM companies CROSS JOIN LATERAL \
             (SELECT position FROM changes WHERE company_id = companies.id ORDER BY position DESC LIMIT 1) AS newest) \
             AS last WHERE last.position > pg_current_xact_id()::text::bigint + base";
        connection.execute(statement(raise))?;
    }
    Ok(())
}
